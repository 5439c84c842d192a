// `series` repeats what other tables say: it must agree with them whatever happened, and come whole to older histories.
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>

#include <boost/test/unit_test.hpp>

#include "store/fixtures.hpp"
#include "store/migrations.hpp"
#include "store/prune.hpp"

namespace opgate::store::test {
namespace {

struct Fixture {
  TemporaryFolder folder;
  std::filesystem::path path = folder / "history.sqlite";

  [[nodiscard]] std::int64_t number(const std::string& question) const {
    Connection connection(path, OpenMode::read_only, kBusyTimeout);
    Query query = connection.query(question);
    return query.step() ? query.integer(0) : -1;
  }
  // Rows of the table that its source does not give, or that it lacks; -1000 when it is empty.
  [[nodiscard]] std::int64_t differences() const {
    if (number("SELECT count(*) FROM series") == 0) return -1000;
    return number("SELECT count(*) FROM (SELECT * FROM series EXCEPT SELECT * FROM series_source)") +
           number("SELECT count(*) FROM (SELECT * FROM series_source EXCEPT SELECT * FROM series)");
  }
  // A history of schema 7, with so many results.
  void make_older(int results) const {
    {
      History history = History::open_for_writing(path);
      const std::int64_t run = history.open_run(some_run());
      std::vector<CaseResult> all{full_result()};
      for (int i = 1; i < results; ++i) all.push_back(small_result("case " + std::to_string(i)));
      history.put_results(run, all);
    }
    Connection connection(path, OpenMode::create, kBusyTimeout);
    connection.execute(
        "DROP TABLE series; DROP VIEW series_source; DROP TABLE ceilings; DROP TABLE seals; DROP TABLE run_seals;"
        "PRAGMA user_version = 7; PRAGMA wal_checkpoint(TRUNCATE)");
  }
  void check_older(std::size_t results) const {
    BOOST_TEST(number("PRAGMA user_version") == 7);
    BOOST_TEST(number("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'series%'") == 0);
    const History history = History::open_for_reading(path);
    BOOST_TEST(history.results({}).size() == results);
    BOOST_TEST(history.series("gemm.b.f16").size() == 1U);
  }
};

// Dies in the middle of migrating, after so many steps of SQLite's machine; 0 when there were fewer.
int migrate_for(const std::filesystem::path& path, int steps) {
  return in_child(false, [&] {
    Connection connection(path, OpenMode::create, kBusyTimeout);
    const auto die = [](void*) { return ::raise(SIGKILL); };
    sqlite3_progress_handler(connection.handle(), steps, die, nullptr);
    migrate(connection);
    return 0;
  });
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(series_table, Fixture)

BOOST_AUTO_TEST_CASE(agrees_with_the_results_at_every_step_of_a_case) {
  History history = History::open_for_writing(path);
  const std::int64_t run = history.open_run(some_run());
  const CaseResult stored = full_result();
  for (const int recording : {1, 2}) {
    BOOST_TEST_CONTEXT("recording " << recording) {
      const std::int64_t id = history.begin_case(run, stored);
      BOOST_TEST(differences() == 0);
      BOOST_TEST((history.series("gemm.b.f16").at(0).last_status == core::Status::running));
      for (const core::Attempt& attempt : stored.attempts) {
        history.put_attempt(id, attempt);
        BOOST_TEST(differences() == 0);
      }
      history.finish_case(id, stored.judgement, core::ExitCode::regression);
      BOOST_TEST(differences() == 0);
      BOOST_TEST((history.series("gemm.b.f16").at(0).exit_code == core::ExitCode::regression));
    }
  }
  history.put_results(history.open_run(some_run("")), {full_result(), small_result("b"), small_result("c")});
  BOOST_TEST(differences() == 0);
  BOOST_TEST(number("SELECT count(*) FROM series") == 4);
}

BOOST_AUTO_TEST_CASE(forgets_the_runs_that_are_pruned) {
  {
    History history = History::open_for_writing(path);
    for (int i = 0; i < 5; ++i) {
      RunInfo run = some_run("");
      run.closed_unix_ms = run.started_unix_ms;
      history.put_result(history.open_run(run), full_result());
    }
  }
  PruneRequest request;
  request.keep_runs = Age{.runs = 2, .days = {}};
  request.now_unix_ms = some_run().started_unix_ms + 1000;
  BOOST_TEST(prune(path, request).runs == 3);
  BOOST_TEST(number("SELECT count(*) FROM series") == 2);
  BOOST_TEST(differences() == 0);
  BOOST_TEST(number("SELECT count(*) FROM pragma_foreign_key_check") == 0);
}

BOOST_AUTO_TEST_CASE(comes_whole_to_an_older_history) {
  make_older(100);
  check_older(100);
  static_cast<void>(History::open_for_writing(path));
  BOOST_TEST(number("PRAGMA user_version") == newest_schema());
  BOOST_TEST(number("SELECT count(*) FROM series") == 100);
  BOOST_TEST(differences() == 0);
}

BOOST_AUTO_TEST_CASE(an_upgrade_that_is_killed_changes_nothing) {
  make_older(100);
  int kills = 0;
  for (int steps = 1; migrate_for(path, steps) != 0; steps += 1 + steps / 3) {
    ++kills;
    check_older(100);
  }
  BOOST_TEST(kills > 10);
  BOOST_TEST(number("SELECT count(*) FROM series") == 100);
  BOOST_TEST(differences() == 0);
}

BOOST_AUTO_TEST_CASE(an_upgrade_that_does_not_fit_on_the_disk_changes_nothing) {
  make_older(2000);
  const int code = in_child(false, [&] {
    ::signal(SIGXFSZ, SIG_IGN);  // the write then fails
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = 120'000;
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      static_cast<void>(History::open_for_writing(path));
    } catch (const Error& error) {
      return std::string(error.what()).find(path.string() + ": ") == 0 ? 7 : 1;
    }
    return 0;
  });
  BOOST_TEST(code == 7);
  check_older(2000);
  static_cast<void>(History::open_for_writing(path));
  BOOST_TEST(number("SELECT count(*) FROM series") == 2000);
  BOOST_TEST(differences() == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::store::test
