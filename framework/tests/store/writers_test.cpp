#include <boost/test/unit_test.hpp>

#include "store/fixtures.hpp"
#include "store/history.hpp"

#include <cstdio>

namespace opgate::store::test {
namespace {

constexpr int kWriters = 32;
constexpr int kCases = 3;

// Everything a case runner does, in a process of its own, on a history that may not exist yet.
int write_like_a_case(const std::filesystem::path& path, int writer) {
  History history = History::open_for_writing(path);
  const auto run_id = history.open_run(some_run(""));
  for (int i = 0; i < kCases; ++i) {
    CaseResult result = small_result("case " + std::to_string(i), 1000 + writer);
    const auto id = history.begin_case(run_id, result);
    history.put_attempt(id, result.attempts.front());
    history.finish_case(id, std::nullopt, core::ExitCode::pass);
  }
  history.close_run(run_id, 1);
  return 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(writers)

BOOST_AUTO_TEST_CASE(thirty_two_processes_writing_at_once_all_succeed) {
  const TemporaryFolder folder;
  const auto path = folder / "history.sqlite";
  std::vector<pid_t> children;
  for (int writer = 0; writer < kWriters; ++writer) {
    const pid_t child = ::fork();
    if (child == 0) {
      int code = 1;
      try {
        code = write_like_a_case(path, writer);
      } catch (const std::exception& error) {
        std::fputs(error.what(), stderr);
      }
      ::_exit(code);
    }
    children.push_back(child);
  }
  int failed = 0;
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    failed += status == 0 ? 0 : 1;
  }
  BOOST_TEST(failed == 0);
  const History history = History::open_for_reading(path);
  BOOST_TEST(history.runs().size() == static_cast<std::size_t>(kWriters));
  std::size_t samples = 0;
  for (const CaseResult& result : history.results({})) {
    BOOST_TEST((result.exit_code == core::ExitCode::pass));
    samples += result.attempts.at(0).implementations.at(0).measurement.samples.size();
  }
  BOOST_TEST(samples == static_cast<std::size_t>(2 * kWriters * kCases));
}

BOOST_AUTO_TEST_CASE(a_writer_that_is_killed_loses_no_finished_transaction) {
  const TemporaryFolder folder;
  const auto path = folder / "history.sqlite";
  in_child(false, [&] {
    History history = History::open_for_writing(path);
    history.begin_case(history.open_run(some_run()), small_result("a"));
    return ::raise(SIGKILL);
  });
  const auto rows = History::open_for_reading(path).results({});
  BOOST_REQUIRE_EQUAL(rows.size(), 1U);
  BOOST_TEST((rows[0].attempts.at(0).status == core::Status::running));
}

BOOST_AUTO_TEST_CASE(a_reader_sees_one_moment_while_others_write) {
  const TemporaryFolder folder;
  const auto path = folder / "history.sqlite";
  History writer = History::open_for_writing(path);
  const History reader = History::open_for_reading(path);
  const auto run_id = writer.open_run(some_run());
  BOOST_TEST(reader.results({}).empty());
  writer.put_results(run_id, {small_result("a"), small_result("b")});
  BOOST_TEST(reader.results({}).size() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::store::test
