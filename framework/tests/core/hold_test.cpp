#include "core/hold.hpp"

#include <boost/test/unit_test.hpp>

#include "phase_builder.hpp"

using namespace opgate;
using namespace opgate::core;

BOOST_AUTO_TEST_SUITE(hold)

BOOST_AUTO_TEST_CASE(probes_frame_the_call_and_are_no_part_of_it) {
  Probed phase;
  phase.iteration(0);
  phase.iteration(1);
  const Reading reading = phase.read(2);
  BOOST_REQUIRE(reading.issues.empty());
  BOOST_REQUIRE_EQUAL(reading.frames.size(), 2U);
  BOOST_TEST(reading.frames[1].opening_end_ns == 1'116'000);
  BOOST_TEST(reading.frames[1].closing_start_ns == 1'124'000);
  BOOST_TEST(reading.frames[1].tail_ns() == 2'000);
  BOOST_TEST(reading.frames[1].launches == 1);
  BOOST_TEST(reading.samples[0].busy_ns == 2'000);
  BOOST_TEST(reading.samples[0].n_kernels.value() == 1);
  BOOST_TEST(reading.kernels == std::vector<std::uint32_t>{0}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_clock_of_a_sample_is_the_mean_of_both_probes) {
  Probed phase;
  phase.iteration(0);
  phase.iteration(1);
  phase.records.stage.clocks[3].time_ns = 0;  // a probe that could not tell
  const Reading reading = phase.read(2);
  BOOST_TEST(reading.samples[0].sm_mhz.value() == 1'525);
  BOOST_TEST(!reading.samples[1].sm_mhz.has_value());
}

BOOST_AUTO_TEST_CASE(unprobed_phases_have_no_frames_and_no_clock) {
  PhaseBuilder phase;
  phase.kernel(1'000, 2'000, 1);
  phase.label(1, 0);
  const Reading reading = phase.read(1);
  BOOST_TEST(reading.frames.empty());
  BOOST_TEST(!reading.samples[0].sm_mhz.has_value());
  BOOST_TEST(find_hold_issues(phase.records, reading, {.held = false, .tail_limit_ns = 1}).empty());
}

BOOST_AUTO_TEST_CASE(a_probe_without_a_record_forbids_a_number) {
  Probed phase;
  phase.iteration(0);
  phase.iteration(1);
  phase.records.buffers.back().erase(phase.records.buffers.back().end() - 2, phase.records.buffers.back().end());
  const Reading reading = phase.read(2);
  BOOST_REQUIRE_EQUAL(reading.issues.size(), 1U);
  BOOST_TEST((reading.issues[0].kind == ErrorKind::unproven));
  BOOST_TEST(says(reading.issues[0].text, "iteration 1"));
  BOOST_TEST(reading.samples.empty());
}

BOOST_AUTO_TEST_CASE(a_probe_label_of_an_iteration_never_pushed_is_an_orphan) {
  Probed phase;
  phase.iteration(0);
  phase.kernel(5'000'000, 5'001'000, 90);
  phase.label(90, kOpeningProbe | 7);
  const Reading reading = phase.read(1);
  BOOST_REQUIRE(!reading.issues.empty());
  BOOST_TEST((reading.issues[0].kind == ErrorKind::off_thread_launch));
}

BOOST_AUTO_TEST_CASE(a_frame_names_the_first_and_the_last_of_its_work) {
  Probed phase;
  phase.records.kernels = {{.name = "a"}, {.name = "probe"}, {.name = "b"}, {.name = "c"}, {.name = "d"}};
  phase.iteration(0);
  phase.kernel(1'018'000, 1'019'000, 2, 2);  // starts before the one that was recorded before it
  phase.kernel(1'021'000, 1'023'000, 2, 3);  // ends after all
  phase.kernel(1'018'000, 1'023'000, 2, 4);  // as early and as late
  const Reading reading = phase.read(1);
  BOOST_REQUIRE_EQUAL(reading.frames.size(), 1U);
  BOOST_TEST(reading.frames[0].first_start_ns == 1'018'000);
  BOOST_TEST(reading.frames[0].last_end_ns == 1'023'000);
  BOOST_TEST(reading.frames[0].first_kernel == 2U);
  BOOST_TEST(reading.frames[0].last_kernel == 3U);
}

BOOST_AUTO_TEST_CASE(the_first_and_only_iteration_wants_its_probes_too) {
  Probed phase;
  phase.iteration(0);
  phase.records.buffers.back().erase(phase.records.buffers.back().end() - 2, phase.records.buffers.back().end());
  const Reading reading = phase.read(1);
  BOOST_REQUIRE_EQUAL(reading.issues.size(), 1U);
  BOOST_TEST((reading.issues[0].kind == ErrorKind::unproven));
  BOOST_TEST(!reading.issues[0].retry);
}

BOOST_AUTO_TEST_CASE(a_probe_that_lost_its_label_is_an_orphan_and_not_a_lost_record) {
  Probed phase;
  phase.iteration(0);
  for (Record& record : phase.records.buffers.back()) {
    if (record.external_id == external_id(kNonce, kClosingProbe)) record.external_id = external_id(kNonce + 1, 0);
  }
  const Reading reading = phase.read(1);
  BOOST_REQUIRE_EQUAL(reading.issues.size(), 1U);
  BOOST_TEST((reading.issues[0].kind == ErrorKind::off_thread_launch));
}

BOOST_AUTO_TEST_CASE(a_hold_is_judged_by_what_ran_before_its_release) {
  Probed held;
  held.iteration(0);
  BOOST_TEST((judge_hold(held.records, held.read(1)).outcome == HoldOutcome::held));
  Probed early;
  early.iteration(0, 15'000, 17'000);
  const HoldReport report = judge_hold(early.records, early.read(1));
  BOOST_TEST((report.outcome == HoldOutcome::escaped));
  BOOST_TEST(says(report.reason, "add_kernel"));
  held.records.stage.let_go = {0};
  BOOST_TEST((judge_hold(held.records, held.read(1)).outcome == HoldOutcome::waited));
  held.records.stage.hold_refusal = "no";
  BOOST_TEST(judge_hold(held.records, held.read(1)).reason == "no");
}

BOOST_AUTO_TEST_CASE(work_on_another_device_is_not_compared_with_the_probes) {
  Probed phase;
  phase.iteration(0);
  phase.kernel(10, 90'000'000, 50, 0, 1);
  phase.label(50, 0);
  const Reading reading = phase.read(1);
  BOOST_REQUIRE(reading.issues.empty());
  BOOST_TEST(find_hold_issues(phase.records, reading, {.held = true, .tail_limit_ns = 10'000}).empty());
  BOOST_TEST(reading.frames[0].launches == 2);
}

BOOST_AUTO_TEST_CASE(the_longest_api_call_of_an_iteration_is_named) {
  Probed phase;
  phase.iteration(0);
  phase.records.names = {"cudaLaunchKernel", "cudaStreamSynchronize", "cudaFree"};
  const auto api = [&](std::uint32_t id, std::uint32_t name, std::int64_t duration_ns) {
    Record& record = phase.api(id, 1, name);
    record.start_ns = 100;
    record.end_ns = 100 + duration_ns;
  };
  api(2, 0, 3'000);
  api(60, 1, 100'000'000);
  phase.label(60, 0);
  api(61, 2, 900'000'000);  // in preparation
  phase.label(61, kPreparation);
  BOOST_TEST(longest_api_call(phase.records, {kKind, kNonce, 1, false}) == "cudaStreamSynchronize");
  BOOST_TEST(longest_api_call({}, {kKind, kNonce, 1, false}).empty());
}

BOOST_AUTO_TEST_CASE(the_tail_limit_leaves_a_margin_over_the_longest_tail) {
  Probed phase;
  phase.iteration(0);
  phase.iteration(1, 20'000, 21'000);
  const Reading reading = phase.read(2);
  BOOST_TEST(tail_limit_ns(reading.frames, true) > 3'000);
  BOOST_TEST(tail_limit_ns(reading.frames, false) > tail_limit_ns(reading.frames, true));
}

BOOST_AUTO_TEST_SUITE_END()
