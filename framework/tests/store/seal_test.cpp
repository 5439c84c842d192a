// Results whose values are not those that were stored.
#include "store/seal.hpp"

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
  BOOST_TEST(refusal_of(path) == "1 results");
  for (const char* const change :
       {"implementations SET busy_median_ns = busy_median_ns + 1", "implementations SET busy_p90_ns = 1",
        "results SET times_recorded = 7", "results SET exit_code = 0", "remarks SET reason = 'none'",
        "devices SET driver = '1'", "cases SET name = 'other' WHERE id IN (SELECT case_id FROM results)",
        "texts SET content = replace(content, '1', '2')", "runs SET source_commit = 'fedc'",
        "runs SET dirty = 1 - dirty", "runs SET closed_unix_ms = 7", "selections SET position = 5 - position",
        "attempts SET started_unix_ms = 5"}) {
    const std::string whole = bytes_of(path);
    execute(path, std::string("UPDATE ") + change);
    const std::string told = refusal_of(path);
    BOOST_TEST(told.find("the history is damaged: ") != std::string::npos, change << ": " << told);
    BOOST_TEST(told.find(path.string()) != std::string::npos, told);
    BOOST_TEST(told.find("fix: restore a copy made by `opgate backup`") != std::string::npos, told);
    for (const char* const beside : {"-wal", "-shm"}) fs::remove(path.string() + beside);
    write_bytes(path, whole);
  }
  execute(path, "UPDATE results SET times_recorded = 7");
  BOOST_TEST(refusal_of(path).find(full_result().identity.name + " in run 1 is not what was stored (wrong checksum)") !=
                 std::string::npos,
             refusal_of(path));
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
  execute(path, "UPDATE results SET times_recorded = 1");
  BOOST_CHECK_THROW(static_cast<void>(history.results({})), Error);
}

BOOST_AUTO_TEST_CASE(every_step_of_a_run_is_sealed) {
  History history = History::open_for_writing(path);
  const auto run = history.open_run(some_run());
  BOOST_TEST(history.runs().size() == 1U);
  history.select(run, {"add.b.f32"});
  BOOST_TEST(history.runs().at(0).selected.size() == 3U);
  history.close_run(run, 1'760'000'100'000);
  BOOST_TEST(history.run(run)->closed_unix_ms.has_value());
  execute(path, "UPDATE runs SET host = 'another'");
  BOOST_CHECK_THROW(static_cast<void>(history.run(run)), Error);
  BOOST_CHECK_THROW(history.select(run, {"add.c.f32"}), Error);
  BOOST_CHECK_THROW(history.close_run(run, 1'760'000'200'000), Error);
}

BOOST_AUTO_TEST_CASE(samples_that_are_gone_are_not_taken_for_pruned_ones) {
  {
    History history = History::open_for_writing(path);
    history.put_result(history.open_run(some_run()), full_result());
  }
  execute(path, "DELETE FROM samples WHERE implementation_id = 1");
  BOOST_TEST(refusal_of(path).find("wrong checksum") != std::string::npos, refusal_of(path));
}

BOOST_AUTO_TEST_CASE(no_later_step_seals_damage) {
  for (const int step : {0, 1, 2}) {
    fs::remove(path);
    History history = History::open_for_writing(path);
    const auto run = history.open_run(some_run());
    const CaseResult result = full_result();
    const auto id = history.begin_case(run, result);
    execute(path, "UPDATE attempts SET message = 'another'");
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
  execute(path,
          "DELETE FROM seals; DELETE FROM run_seals; UPDATE results SET times_recorded = 7; UPDATE runs SET dirty = 0");
  BOOST_TEST(refusal_of(path) == "1 results");
  execute(path, "DROP TABLE seals; DROP TABLE run_seals; PRAGMA user_version = 9");
  BOOST_TEST(refusal_of(path) == "1 results");
  History::open_for_writing(path).put_result(1, small_result("new"));  // upgrades
  BOOST_TEST(refusal_of(path) == "2 results");
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
  BOOST_TEST(refusal_of(path) == "3 results");
  for (const char* const beside : {"-wal", "-shm"}) fs::remove(path.string() + beside);
  write_bytes(path, whole);
  execute(path, "UPDATE attempts SET message = 'another'");
  BOOST_CHECK_THROW(static_cast<void>(prune(path, request)), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::store::test
