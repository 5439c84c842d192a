#include "run/fresh_processes.hpp"

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <vector>

#include "run/stop_signals.hpp"

using namespace opgate;
using namespace std::chrono_literals;

namespace {

core::Attempt took(std::chrono::nanoseconds wall) {
  core::Attempt attempt;
  attempt.status = core::Status::measured;
  attempt.wall_ns = wall.count();
  attempt.implementations.emplace_back();
  attempt.implementations.front().measurement.samples.resize(5);
  return attempt;
}

std::chrono::steady_clock::time_point in(std::chrono::seconds time) {
  return std::chrono::steady_clock::now() + time;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fresh_processes)

BOOST_AUTO_TEST_CASE(each_is_started_and_their_samples_are_one_reading) {
  std::vector<int> started;
  const core::Attempt reading = run::read_in_processes(3, in(60s), [&](int process) {
    started.push_back(process);
    return took(1ms);
  });
  BOOST_TEST(started == (std::vector<int>{1, 2, 3}), boost::test_tools::per_element());
  BOOST_TEST(reading.processes == 3);
  BOOST_TEST(reading.implementations.front().measurement.samples.size() == 15U);
}

BOOST_AUTO_TEST_CASE(the_first_that_gives_no_number_ends_it) {
  int started = 0;
  const core::Attempt reading = run::read_in_processes(4, in(60s), [&](int process) {
    ++started;
    core::Attempt attempt = took(1ms);
    if (process == 2) attempt.status = core::Status::wrong;
    return attempt;
  });
  BOOST_TEST(started == 2);
  BOOST_TEST((reading.status == core::Status::wrong));
}

BOOST_AUTO_TEST_CASE(one_that_cannot_be_put_together_ends_it) {
  int started = 0;
  const core::Attempt reading = run::read_in_processes(4, in(60s), [&](int process) {
    ++started;
    core::Attempt attempt = took(1ms);
    attempt.device.uuid = process == 2 ? "GPU-b" : "GPU-a";
    return attempt;
  });
  BOOST_TEST(started == 2);
  BOOST_TEST((reading.status == core::Status::untrusted));
}

// As it comes while a worker that has told its result is ending.
BOOST_AUTO_TEST_CASE(a_signal_to_stop_starts_no_further_process) {
  int started = 0;
  const core::Attempt reading = run::read_in_processes(4, in(60s), [&](int) {
    const run::StopSignals signals;
    if (++started == 2) std::raise(SIGINT);
    return took(1ms);
  });
  BOOST_TEST(started == 2);
  BOOST_TEST((reading.status == core::Status::failed));
  BOOST_TEST(reading.message.find("told to stop (SIGINT or SIGTERM) before fresh process 3 of the 4") !=
             std::string::npos);
  BOOST_TEST((run::read_in_processes(2, in(60s), [&](int) { return took(1ms); }).status == core::Status::measured));
}

BOOST_AUTO_TEST_CASE(another_reading_needs_its_time_and_that_of_one_process) {
  core::Attempt reading = took(12s);
  BOOST_TEST((run::time_for_another(reading) == 24s));
  reading.processes = 4;
  BOOST_TEST((run::time_for_another(reading) == 15s));
}

BOOST_AUTO_TEST_CASE(a_process_that_would_not_end_in_time_is_not_started) {
  int started = 0;
  const core::Attempt reading = run::read_in_processes(4, in(60s), [&](int) {
    ++started;
    return took(90s);
  });
  BOOST_TEST(started == 1);
  BOOST_TEST((reading.status == core::Status::failed));
  BOOST_TEST(reading.message.find("no time for fresh process 2 of the 4") != std::string::npos);
  BOOST_TEST(reading.message.find("raise timeout_s") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
