#include "run/worker_process.hpp"

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <string>

#include "opgate/error.hpp"

using namespace opgate;
using namespace std::chrono_literals;

namespace {

core::Attempt worker(const std::string& behaviour, std::chrono::milliseconds bound = 20s) {
  // main.cpp of these tests plays the worker when it is given --worker-fd.
  return run::run_worker({.arguments = {"--play", behaviour}, .environment = {{"OPGATE_TEST_WORD", "told"}}},
                         std::chrono::steady_clock::now() + bound);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(child)

BOOST_AUTO_TEST_CASE(a_result_comes_back_whole) {
  const core::Attempt attempt = worker("result");
  BOOST_TEST((attempt.status == core::Status::measured));
  BOOST_REQUIRE_EQUAL(attempt.implementations.size(), 1U);
  BOOST_TEST(attempt.implementations[0].measurement.samples.at(0).busy_ns == 1696);
  BOOST_TEST(attempt.message == "told");  // the environment reached the worker
  BOOST_TEST(attempt.wall_ns > 0);
}

BOOST_AUTO_TEST_CASE(a_worker_killed_by_a_signal_is_told_with_its_phase) {
  const core::Attempt attempt = worker("kill");
  BOOST_TEST((attempt.status == core::Status::failed));
  BOOST_TEST(attempt.phase == "measure");
  BOOST_TEST(attempt.message.find("signal 9") != std::string::npos);
  BOOST_TEST(attempt.implementations.empty());
}

BOOST_AUTO_TEST_CASE(a_crash_names_the_signal) {
  BOOST_TEST(worker("crash").message.find("signal 6") != std::string::npos);
}

// As some launchers of CI jobs hand it on.
BOOST_AUTO_TEST_CASE(an_ignored_sigchld_does_not_hide_how_a_worker_ended) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const core::Attempt attempt = worker("kill");
  std::signal(SIGCHLD, before);
  BOOST_TEST(attempt.message.find("signal 9") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_hang_is_bounded_and_named) {
  const core::Attempt attempt = worker("hang", 300ms);
  BOOST_TEST((attempt.status == core::Status::failed));
  BOOST_TEST(attempt.phase == "set-up");
  BOOST_TEST(attempt.message.find("hung") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_op_that_exits_is_told) {
  const core::Attempt attempt = worker("exit");
  BOOST_TEST((attempt.status == core::Status::failed));
  BOOST_TEST(attempt.message.find("exited with status 0") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_process_left_behind_does_not_hold_the_case) {
  const core::Attempt attempt = worker("orphan");
  BOOST_TEST(attempt.message.find("exited with status 7") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(half_a_result_is_no_result) {
  const core::Attempt attempt = worker("half");
  BOOST_TEST((attempt.status == core::Status::failed));
  BOOST_TEST(attempt.message.find("before it had a result") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_stop_signal_ends_the_worker_and_is_told) {
  const core::Attempt attempt = worker("stop-supervisor");
  BOOST_TEST(attempt.message.find("told to stop") != std::string::npos);
  BOOST_TEST(attempt.phase == "measure");
}

BOOST_AUTO_TEST_SUITE_END()
