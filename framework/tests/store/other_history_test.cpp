#include "store/other_history.hpp"

#include <sqlite3.h>

#include <boost/test/unit_test.hpp>

#include "store/fixtures.hpp"
#include "store/migrations.hpp"

namespace opgate::store::test {
namespace {

namespace fs = std::filesystem;

struct Fixture {
  TemporaryFolder folder;
  fs::path path = folder / "other.sqlite";
};

// Until the end of a test temporary files go elsewhere.
class TemporaryElsewhere {
 public:
  explicit TemporaryElsewhere(const fs::path& folder) {
    if (const char* const before = std::getenv("TMPDIR")) before_ = before;
    ::setenv("TMPDIR", folder.c_str(), 1);
  }
  TemporaryElsewhere(const TemporaryElsewhere&) = delete;
  TemporaryElsewhere& operator=(const TemporaryElsewhere&) = delete;
  ~TemporaryElsewhere() { before_ ? ::setenv("TMPDIR", before_->c_str(), 1) : ::unsetenv("TMPDIR"); }

 private:
  std::optional<std::string> before_;
};

CaseResult imported_result() {
  CaseResult result;
  result.identity.name = "bench.norm";
  result.identity.op = "imported";
  result.identity.bytes = 4096;
  core::Attempt attempt;
  attempt.status = core::Status::measured;
  core::ImplementationResult ours;
  ours.imported = core::Imported{.name = "mine",
                                 .protocol = "nvbench-cold",
                                 .timing = "cuda-events",
                                 .flush = "",
                                 .launch = "",
                                 .properties = {{"tflops", "1.5"}},
                                 .summary = core::Summary{.busy_ns = 3712.5,
                                                          .statistic = "median",
                                                          .p10_ns = 3600.25,
                                                          .p90_ns = {},
                                                          .latency_ns = 4000,
                                                          .gap_ns = 287.5,
                                                          .sm_mhz = 1979.5,
                                                          .readings = 200,
                                                          .n_kernels = 1}};
  attempt.implementations = {ours, core::ImplementationResult{}};
  attempt.implementations[1].imported.emplace();  // samples of a tool that says nothing of how it took them
  attempt.implementations[1].measurement.name = "lib";
  attempt.implementations[1].measurement.samples = {{1700, 1800, 100, 1, 1980, 0}};
  result.attempts = {attempt};
  result.exit_code = core::ExitCode::pass;
  return result;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(other_history, Fixture)

BOOST_AUTO_TEST_CASE(imported_readings_come_back_as_they_were) {
  History history = History::open_for_writing(path);
  const auto run_id = history.open_run(some_run());
  history.put_result(run_id, imported_result());
  history.put_result(run_id, full_result());
  const CaseResult back = history.results({.case_name = "bench.norm"}).at(0);
  BOOST_TEST(same_content(back, imported_result()));
  BOOST_TEST(same_content(history.results({.case_name = full_result().identity.name}).at(0), full_result()));
  CaseResult changed = imported_result();
  changed.attempts[0].implementations[0].imported->summary->busy_ns += 0.5;
  BOOST_TEST(!same_content(back, changed));
}

BOOST_AUTO_TEST_CASE(a_summary_is_a_run_that_can_be_judged) {
  const CaseResult result = imported_result();
  const core::CaseRun run = case_run(result, result.attempts[0]).value();
  BOOST_TEST(run.samples.empty());
  BOOST_TEST(run.summary->busy_ns == 3712.5);
  BOOST_TEST(run.conditions.protocol == "nvbench-cold");
  BOOST_TEST(run.conditions.flush.empty());
  BOOST_TEST(run.conditions.pacing.empty());
}

BOOST_AUTO_TEST_CASE(an_older_history_is_read_from_a_migrated_copy) {
  BOOST_REQUIRE(migrations().size() > 1U);
  execute(path, migrations().front()->sql);
  execute(path, "PRAGMA user_version = 1; PRAGMA application_id = " + std::to_string(kApplicationId) +
                    "; INSERT INTO runs VALUES (5, 'u-5', 'ctest', 1, 2, 'h', 'c', 0, 0, 'l')");
  const std::string before = bytes_of(path);
  {
    const OtherHistory other(path);
    BOOST_TEST(other.history().runs().at(0).uuid == "u-5");
    BOOST_TEST(other.history().path() != path);
  }
  BOOST_TEST(bytes_of(path) == before);
  BOOST_TEST(std::distance(fs::directory_iterator(folder.path()), {}) == 1);
}

BOOST_AUTO_TEST_CASE(a_history_of_this_schema_is_read_in_place) {
  History::open_for_writing(path).open_run(some_run());
  const OtherHistory other(path);
  BOOST_TEST(other.history().path() == path);
  BOOST_TEST(other.history().runs().size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_newer_or_foreign_file_is_refused) {
  History::open_for_writing(path).open_run(some_run());
  execute(path, "PRAGMA user_version = 977");
  BOOST_CHECK_EXCEPTION(OtherHistory{path}, Error, [](const Error& error) {
    return error.kind() == ErrorKind::history && std::string(error.what()).find("977") != std::string::npos;
  });
  execute(path, "PRAGMA application_id = 1");
  BOOST_CHECK_THROW(OtherHistory{path}, Error);
  BOOST_CHECK_THROW(OtherHistory{folder / "absent.sqlite"}, Error);
}

BOOST_AUTO_TEST_CASE(an_older_history_that_cannot_be_migrated_leaves_no_copy) {
  execute(path,
          "CREATE TABLE t (x); PRAGMA user_version = 1; PRAGMA application_id = " + std::to_string(kApplicationId));
  const fs::path temporary = folder / "temporary";
  fs::create_directory(temporary);
  const TemporaryElsewhere elsewhere(temporary);
  BOOST_CHECK_EXCEPTION(OtherHistory{path}, Error, [](const Error& error) {
    return error.kind() == ErrorKind::history && !error.where().empty();
  });
  BOOST_TEST(fs::is_empty(temporary));
}

BOOST_AUTO_TEST_CASE(an_older_history_wants_a_temporary_folder) {
  execute(path, migrations().front()->sql);
  execute(path, "PRAGMA user_version = 1; PRAGMA application_id = " + std::to_string(kApplicationId));
  const TemporaryElsewhere nowhere(folder / "none");
  BOOST_CHECK_EXCEPTION(OtherHistory{path}, Error, [](const Error& error) {
    return error.kind() == ErrorKind::io && error.summary().starts_with("no temporary folder can be made: ") &&
           error.where() == "TMPDIR";
  });
}

BOOST_AUTO_TEST_CASE(runs_are_the_same_whatever_their_numbers) {
  RunInfo one = some_run();
  RunInfo another = some_run();
  another.id = 7;
  BOOST_TEST(same_content(one, another));
  another.options = "--iterations 6";
  BOOST_TEST(!same_content(one, another));
}

BOOST_AUTO_TEST_CASE(many_calls_are_one_transaction) {
  History history = History::open_for_writing(path);
  history.all_or_nothing([&] {
    const auto run_id = history.open_run(some_run("u-1"));
    history.put_result(run_id, small_result("a"));
    BOOST_TEST(history.results({}).size() == 1U);
    BOOST_TEST(History::open_for_reading(path).runs().empty());
  });
  BOOST_TEST(History::open_for_reading(path).results({}).size() == 1U);
  const auto fails = [&] {
    history.all_or_nothing([&] {
      history.put_result(history.open_run(some_run("u-2")), small_result("b"));
      throw Error(ErrorKind::io, "no more");
    });
  };
  BOOST_CHECK_THROW(fails(), Error);
  BOOST_TEST(!history.run_by_uuid("u-2").has_value());
  history.open_run(some_run("u-3"));
  BOOST_TEST(history.runs().size() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::store::test
