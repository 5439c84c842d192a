// Results whose values are not those that were stored.
#include "store/seal.hpp"

#include <sqlite3.h>

#include <boost/test/unit_test.hpp>

#include "store/crc32.hpp"
#include "store/fixtures.hpp"
#include "store/history.hpp"
#include "store/prune.hpp"

namespace opgate::store::test {
namespace {

namespace fs = std::filesystem;

struct Fixture {
  TemporaryFolder folder;
  fs::path path = folder / "history.sqlite";

  void execute(const std::string& sql) const {
    sqlite3* database = nullptr;
    BOOST_REQUIRE_EQUAL(sqlite3_open(path.c_str(), &database), SQLITE_OK);
    BOOST_TEST(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK, sql);
    sqlite3_close(database);
  }
  [[nodiscard]] std::string refusal() const {
    try {
      return std::to_string(History::open_for_reading(path).results({}).size()) + " results";
    } catch (const Error& error) {
      return error.what();
    }
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(seal, Fixture)

BOOST_AUTO_TEST_CASE(the_checksum_is_that_of_zip_and_goes_on) {
  const std::string digits = "123456789";
  const auto bytes = std::as_bytes(std::span(digits.data(), digits.size()));
  BOOST_TEST(crc32(bytes) == 0xcbf43926U);
  BOOST_TEST(crc32(bytes.subspan(4), crc32(bytes.first(4))) == 0xcbf43926U);
  BOOST_TEST(crc32({}) == 0U);
}

BOOST_AUTO_TEST_CASE(what_was_changed_behind_its_back_is_named) {
  {
    History history = History::open_for_writing(path);
    history.put_result(history.open_run(some_run()), full_result());
  }
  BOOST_TEST(refusal() == "1 results");
  for (const char* const change :
       {"implementations SET busy_median_ns = busy_median_ns + 1", "implementations SET busy_p90_ns = 1",
        "results SET times_recorded = 7", "results SET exit_code = 0", "remarks SET reason = 'none'",
        "devices SET driver = '1'", "cases SET name = 'other' WHERE id IN (SELECT case_id FROM results)",
        "texts SET content = replace(content, '1', '2')", "runs SET source_commit = 'fedc'",
        "runs SET dirty = 1 - dirty", "attempts SET started_unix_ms = 5"}) {
    const std::string whole = bytes_of(path);
    execute(std::string("UPDATE ") + change);
    const std::string told = refusal();
    BOOST_TEST(told.find("the history is damaged: ") != std::string::npos, change << ": " << told);
    BOOST_TEST(told.find(path.string()) != std::string::npos, told);
    BOOST_TEST(told.find("fix: restore a copy made by `opgate backup`") != std::string::npos, told);
    for (const char* const beside : {"-wal", "-shm"}) fs::remove(path.string() + beside);
    write_bytes(path, whole);
  }
  execute("UPDATE results SET times_recorded = 7");
  BOOST_TEST(refusal().find(full_result().identity.name + " in run 1 is not what was stored (wrong checksum)") !=
                 std::string::npos,
             refusal());
}

BOOST_AUTO_TEST_CASE(every_step_of_a_case_is_sealed) {
  History history = History::open_for_writing(path);
  const auto run = history.open_run(some_run());
  CaseResult opened = full_result();
  const auto id = history.begin_case(run, opened);
  BOOST_TEST(history.results({}).size() == 1U);
  history.put_attempt(id, opened.attempts.at(0));
  BOOST_TEST(history.results({}).size() == 1U);
  history.finish_case(id, opened.judgement, core::ExitCode::pass);
  BOOST_TEST(history.results({}).size() == 1U);
  history.close_run(run, 1'760'000'100'000);
  BOOST_TEST(history.results({}).size() == 1U);
  static_cast<void>(history.begin_case(run, opened));
  BOOST_TEST(history.results({}).size() == 1U);
  execute("UPDATE results SET times_recorded = 1");
  BOOST_CHECK_THROW(static_cast<void>(history.results({})), Error);
}

BOOST_AUTO_TEST_CASE(no_later_step_seals_damage) {
  for (const int step : {0, 1, 2}) {
    fs::remove(path);
    History history = History::open_for_writing(path);
    const auto run = history.open_run(some_run());
    const CaseResult result = full_result();
    const auto id = history.begin_case(run, result);
    execute("UPDATE attempts SET message = 'another'");
    BOOST_CHECK_THROW(step == 0   ? history.put_attempt(id, result.attempts.at(1))
                      : step == 1 ? history.finish_case(id, result.judgement, core::ExitCode::pass)
                                  : static_cast<void>(history.begin_case(run, result)),
                      Error);
  }
}

BOOST_AUTO_TEST_CASE(results_of_before_have_no_seal_and_are_read) {
  {
    History history = History::open_for_writing(path);
    history.put_result(history.open_run(some_run()), full_result());
  }
  execute("DELETE FROM seals; UPDATE results SET times_recorded = 7");
  BOOST_TEST(refusal() == "1 results");
  execute("DROP TABLE seals; PRAGMA user_version = 9");
  BOOST_TEST(refusal() == "1 results");
  History::open_for_writing(path).put_result(1, small_result("new"));  // upgrades
  BOOST_TEST(refusal() == "2 results");
}

BOOST_AUTO_TEST_CASE(pruning_seals_what_it_changed_and_no_damage) {
  CaseResult varied = full_result();
  {
    History history = History::open_for_writing(path);
    history.put_result(history.open_run(some_run()), varied);
    for (int i = 0; i < 2; ++i) history.put_result(history.open_run(some_run("")), small_result("short", 100));
    for (const RunInfo& run : history.runs()) history.close_run(run.id, 1'760'000'100'000);
  }
  PruneRequest request;
  request.keep_samples = Age{.runs = 1, .days = std::nullopt};
  request.now_unix_ms = 1'960'000'000'000;
  const std::string whole = bytes_of(path);
  const Pruned pruned = prune(path, request);
  BOOST_TEST(pruned.sample_sets > 0);
  BOOST_TEST(refusal() == "3 results");
  for (const char* const beside : {"-wal", "-shm"}) fs::remove(path.string() + beside);
  write_bytes(path, whole);
  execute("UPDATE attempts SET message = 'another'");
  BOOST_CHECK_THROW(static_cast<void>(prune(path, request)), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::store::test
