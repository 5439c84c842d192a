#include "core/ceilings.hpp"

#include <boost/test/unit_test.hpp>

#include "store/fixtures.hpp"
#include "store/other_history.hpp"
#include "store/sqlite.hpp"

namespace opgate::store::test {
namespace {

struct Fixture {
  TemporaryFolder folder;
  std::filesystem::path path = folder / "history.sqlite";
  History history = History::open_for_writing(path);
};

core::Ceilings ceilings_of(const std::string& unit, std::int64_t when) {
  return {.unit = unit,
          .device = "NVIDIA H200",
          .driver = "580.159.03",
          .measured_unix_ms = when,
          .commit = "0123456789abcdef",
          .dirty = true,
          .copy = core::MeasuredRate{4'194, 1980},
          .half = core::MeasuredRate{800'000, std::nullopt},
          .f8 = std::nullopt};
}

std::int64_t put_case(History& history, const std::string& unit) {
  CaseResult result = small_result("add.a.f32");
  result.attempts.front().device.uuid = unit;
  return history.put_result(history.open_run(some_run()), result);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(ceilings, Fixture)

BOOST_AUTO_TEST_CASE(the_newest_of_a_unit_comes_back_whole) {
  history.put_ceilings(ceilings_of("GPU-1", 2'000));
  history.put_ceilings(ceilings_of("GPU-1", 1'000));
  core::Ceilings other = ceilings_of("GPU-2", 3'000);
  other.copy.reset();
  history.put_ceilings(other);
  const auto found = History::open_for_reading(path).ceilings("GPU-1");
  BOOST_REQUIRE(found.has_value());
  BOOST_TEST(found->measured_unix_ms == 2'000);
  BOOST_TEST((*found == ceilings_of("GPU-1", 2'000)));
  BOOST_TEST((history.ceilings("GPU-2").value() == other));
  BOOST_TEST(!history.ceilings("GPU-3").has_value());
  BOOST_TEST(!history.ceilings("").has_value());
}

BOOST_AUTO_TEST_CASE(they_are_no_run_and_no_case) {
  history.put_ceilings(ceilings_of("GPU-1", 1'000));
  BOOST_TEST(history.runs().empty());
  BOOST_TEST(history.case_names().empty());
  BOOST_TEST(history.results({}).empty());
}

BOOST_AUTO_TEST_CASE(a_result_has_those_of_the_gpu_that_measured_it) {
  put_case(history, "GPU-1");
  BOOST_TEST(!history.results({}).at(0).ceilings.has_value());
  history.put_ceilings(ceilings_of("GPU-2", 1'000));
  BOOST_TEST(!history.results({}).at(0).ceilings.has_value());
  history.put_ceilings(ceilings_of("GPU-1", 1'000));
  BOOST_TEST(history.results({}).at(0).ceilings.value().unit == "GPU-1");
}

BOOST_AUTO_TEST_CASE(they_are_no_content_of_a_result) {
  put_case(history, "GPU-1");
  const CaseResult before = history.results({}).at(0);
  history.put_ceilings(ceilings_of("GPU-1", 1'000));
  const CaseResult after = history.results({}).at(0);
  BOOST_TEST(after.ceilings.has_value());
  BOOST_TEST(same_content(before, after));
}

BOOST_AUTO_TEST_CASE(an_older_history_is_read_as_it_is_and_has_none) {
  put_case(history, "GPU-1");
  Connection(path, OpenMode::create, kBusyTimeout)
      .execute("DROP TABLE ceilings; DROP TABLE seals; DROP TABLE run_seals; PRAGMA user_version = 8");
  {
    const History older = History::open_for_reading(path);
    BOOST_TEST(!older.ceilings("GPU-1").has_value());
    BOOST_TEST(older.results({}).size() == 1U);
  }
  BOOST_TEST(Connection(path, OpenMode::read_only, kBusyTimeout).pragma("user_version") == 8);
  History::open_for_writing(path).put_ceilings(ceilings_of("GPU-1", 1'000));
  BOOST_TEST(History::open_for_reading(path).results({}).at(0).ceilings.has_value());
}

BOOST_AUTO_TEST_CASE(a_backup_holds_them) {
  history.put_ceilings(ceilings_of("GPU-1", 1'000));
  backup(path, folder / "copy.sqlite");
  BOOST_TEST(History::open_for_reading(folder / "copy.sqlite").ceilings("GPU-1").has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::store::test
