#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "phase_builder.hpp"

using namespace opgate;
using namespace opgate::core;

BOOST_AUTO_TEST_SUITE(attribution_faults)

namespace {

// Iteration 0 launches one kernel from thread 11.
PhaseBuilder one_good_iteration() {
  PhaseBuilder phase;
  phase.kernel(1000, 2000, 1);
  phase.api(1, 11);
  phase.label(1, 0);
  return phase;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_empty_iteration_launched_nothing) {
  const Reading reading = one_good_iteration().read(4);
  const Issue& issue = only_issue(reading, ErrorKind::attribution);
  BOOST_TEST(says(issue.text, "iteration 1 launched nothing"), issue.text);
  BOOST_TEST(says(issue.text, "3 of 4"), issue.text);
  BOOST_TEST(!issue.retry);
}

BOOST_AUTO_TEST_CASE(a_kernel_without_a_label_names_kernel_thread_and_count) {
  PhaseBuilder phase = one_good_iteration();
  for (std::uint32_t id = 20; id < 23; ++id) {
    phase.kernel(3000, 4000, id);
    phase.api(id, 77);
  }
  const Reading reading = phase.read(1);
  const Issue& issue = only_issue(reading, ErrorKind::off_thread_launch);
  BOOST_TEST(says(issue.text, "3 kernels"), issue.text);
  BOOST_TEST(says(issue.text, "3 x add_kernel(float*) from thread 77"), issue.text);
  BOOST_TEST(says(issue.remedy, "opgate::LabelScope"), issue.remedy);
  BOOST_TEST(!issue.retry);
}

BOOST_AUTO_TEST_CASE(an_orphan_hides_that_an_iteration_is_empty) {
  PhaseBuilder phase = one_good_iteration();
  phase.kernel(3000, 4000, 20);
  phase.api(20, 77);
  only_issue(phase.read(2), ErrorKind::off_thread_launch);
}

BOOST_AUTO_TEST_CASE(a_label_never_pushed_is_no_iteration) {
  PhaseBuilder phase = one_good_iteration();
  phase.kernel(3000, 4000, 20);
  phase.label(20, 1);
  const Reading reading = phase.read(1);
  const Issue& issue = only_issue(reading, ErrorKind::off_thread_launch);
  BOOST_TEST(says(issue.text, "iteration 1"), issue.text);
}

BOOST_AUTO_TEST_CASE(a_label_of_another_phase_is_no_iteration) {
  for (const std::uint32_t lower : {0U, kPreparation}) {
    PhaseBuilder phase = one_good_iteration();
    phase.kernel(3000, 4000, 20);
    phase.api(20, 11);
    phase.external(20, external_id(kNonce + 1, lower));
    const Reading reading = phase.read(1);
    const Issue& issue = only_issue(reading, ErrorKind::off_thread_launch);
    BOOST_TEST(says(issue.text, "not of this phase"), issue.text);
    BOOST_TEST(says(issue.text, "the call's own"), issue.text);
  }
}

BOOST_AUTO_TEST_CASE(the_calls_own_thread_is_that_of_its_first_work) {
  for (const auto& [thread, own] : {std::pair(11U, true), std::pair(12U, false)}) {
    PhaseBuilder phase = one_good_iteration();
    phase.kernel(2000, 3000, 2);
    phase.api(2, 12);
    phase.label(2, 0);
    phase.kernel(3000, 4000, 20);
    phase.api(20, thread);
    const Reading reading = phase.read(1);
    const Issue& issue = only_issue(reading, ErrorKind::off_thread_launch);
    BOOST_TEST(says(issue.text, "the call's own") == own, issue.text);
  }
}

BOOST_AUTO_TEST_CASE(two_labels_of_this_phase_on_one_launch_are_ambiguous) {
  PhaseBuilder phase = one_good_iteration();
  phase.label(1, kPreparation);
  const Reading reading = phase.read(1);
  const Issue& issue = only_issue(reading, ErrorKind::off_thread_launch);
  BOOST_TEST(says(issue.text, "two different labels"), issue.text);
}

BOOST_AUTO_TEST_CASE(correlation_id_zero_means_none) {
  PhaseBuilder phase = one_good_iteration();
  phase.kernel(3000, 4000, 0);
  phase.label(0, 0);
  phase.api(0, 77);
  const Reading reading = phase.read(1);
  const Issue& issue = only_issue(reading, ErrorKind::off_thread_launch);
  BOOST_TEST(says(issue.text, "an unknown thread"), issue.text);
}

BOOST_AUTO_TEST_CASE(many_kinds_of_strays_are_counted_and_the_first_told) {
  PhaseBuilder phase = one_good_iteration();
  for (std::uint32_t id = 20; id < 25; ++id) {
    phase.kernel(3000, 4000, id);
    phase.api(id, id);
  }
  const Reading reading = phase.read(1);
  const Issue& issue = only_issue(reading, ErrorKind::off_thread_launch);
  BOOST_TEST(says(issue.text, "5 kernels"), issue.text);
  BOOST_TEST(says(issue.text, "and 2 more kinds"), issue.text);
}

BOOST_AUTO_TEST_CASE(any_dropped_record_is_measured_again) {
  PhaseBuilder phase = one_good_iteration();
  phase.records.dropped = 12;
  const Reading reading = phase.read(1);
  const Issue& issue = only_issue(reading, ErrorKind::records_lost);
  BOOST_TEST(issue.retry);
  BOOST_TEST(says(issue.text, "12 records"), issue.text);
}

BOOST_AUTO_TEST_CASE(lost_records_come_before_everything_else) {
  PhaseBuilder phase;
  phase.records.dropped = 1;
  phase.kernel(0, 0, 20);
  only_issue(phase.read(3), ErrorKind::records_lost);
}

BOOST_AUTO_TEST_CASE(an_unknown_drop_count_is_unproven_and_blames_nobody) {
  PhaseBuilder phase;
  phase.records.dropped.reset();
  phase.kernel(3000, 4000, 20);
  const Reading reading = phase.read(2);
  BOOST_TEST(!only_issue(reading, ErrorKind::unproven).retry);
}

BOOST_AUTO_TEST_CASE(a_record_without_timestamps_is_never_a_sample) {
  const std::vector<std::pair<std::int64_t, std::int64_t>> broken{{0, 0}, {0, 2000}, {3000, 2999}};
  for (const auto& [start, end] : broken) {
    PhaseBuilder phase = one_good_iteration();
    phase.kernel(start, end, 2, 1);
    phase.label(2, 1);
    const Reading reading = phase.read(2);
    const Issue& issue = only_issue(reading, ErrorKind::timestamps_lost);
    BOOST_TEST(says(issue.text, "sum"), issue.text);
  }
}

BOOST_AUTO_TEST_CASE(timestamps_of_copies_and_preparation_count_too) {
  PhaseBuilder copies = one_good_iteration();
  copies.copy(0, 0, 2, 8);
  copies.label(2, 0);
  only_issue(copies.read(1, true), ErrorKind::timestamps_lost);
  PhaseBuilder preparation = one_good_iteration();
  preparation.kernel(0, 0, 2);
  preparation.label(2, kPreparation);
  only_issue(preparation.read(1), ErrorKind::timestamps_lost);
}

BOOST_AUTO_TEST_CASE(a_forbidden_copy_names_bytes_and_call) {
  PhaseBuilder phase = one_good_iteration();
  phase.copy(3000, 4000, 2, 4096);
  phase.copy(4000, 5000, 3, 4096);
  phase.set(5000, 6000, 4, 64);
  phase.api(2, 11, 1);
  phase.api(3, 11, 1);
  phase.api(4, 11, 2);
  for (std::uint32_t id = 2; id <= 4; ++id) {
    phase.label(id, 0);
  }
  const Reading reading = phase.read(1);
  const Issue& issue = only_issue(reading, ErrorKind::unmeasured_copies);
  BOOST_TEST(says(issue.text, "3 copy or memset calls"), issue.text);
  BOOST_TEST(says(issue.text, "2 x cudaMemcpyAsync, 8192 bytes"), issue.text);
  BOOST_TEST(says(issue.text, "1 x cudaMemsetAsync, 64 bytes"), issue.text);
}

BOOST_AUTO_TEST_CASE(a_call_of_a_forbidden_copy_alone_did_launch_something) {
  PhaseBuilder phase = one_good_iteration();
  phase.copy(3000, 4000, 2, 4096);
  phase.label(2, 1);
  only_issue(phase.read(2), ErrorKind::unmeasured_copies);
}

BOOST_AUTO_TEST_CASE(copies_of_preparation_are_ignored) {
  PhaseBuilder phase = one_good_iteration();
  phase.copy(3000, 4000, 2, 4096);
  phase.set(3000, 4000, 3, 4096);
  phase.label(2, kPreparation);
  phase.label(3, kPreparation);
  const Reading reading = phase.read(1);
  BOOST_TEST(reading.issues.empty());
  BOOST_TEST(reading.samples.at(0).busy_ns == 1000);
}

BOOST_AUTO_TEST_CASE(a_copy_without_a_label_is_off_thread_whether_copies_count_or_not) {
  for (const bool allowed : {false, true}) {
    PhaseBuilder phase = one_good_iteration();
    phase.copy(3000, 4000, 20, 512);
    phase.api(20, 77, 1);
    const Reading reading = phase.read(1, allowed);
    const Issue& issue = only_issue(reading, ErrorKind::off_thread_launch);
    BOOST_TEST(says(issue.text, "cudaMemcpyAsync (512 bytes) from thread 77"), issue.text);
  }
}

BOOST_AUTO_TEST_CASE(several_faults_are_all_told_the_machines_first) {
  PhaseBuilder phase = one_good_iteration();
  phase.kernel(0, 0, 20);
  phase.copy(3000, 4000, 2, 4096);
  phase.label(2, 0);
  const Reading reading = phase.read(1);
  BOOST_REQUIRE_EQUAL(reading.issues.size(), 3U);
  BOOST_TEST((reading.issues[0].kind == ErrorKind::timestamps_lost));
  BOOST_TEST((reading.issues[1].kind == ErrorKind::off_thread_launch));
  BOOST_TEST((reading.issues[2].kind == ErrorKind::unmeasured_copies));
}

// One kernel of a call of three is not there, and CUPTI counted nothing.
PhaseBuilder one_of_three_lost(const char* api_name) {
  PhaseBuilder phase;
  phase.records.names[0] = api_name;
  for (std::uint32_t id = 1; id <= 6; ++id) {
    phase.label(id, (id - 1) / 3);
    phase.api(id, 4242);
    if (id != 5) {
      phase.kernel(1000 * id, 1000 * id + 500, id);
    }
  }
  return phase;
}

BOOST_AUTO_TEST_CASE(a_launch_without_its_kernel_names_call_iteration_and_thread) {
  for (const char* name : {"cudaLaunchKernel_v7000", "__cudaLaunchKernel", "cudaLaunchKernelExC_v11060",
                           "cudaLaunchCooperativeKernel_v9000", "cuLaunchKernelEx"}) {
    const Reading reading = one_of_three_lost(name).read(2);
    const Issue& issue = only_issue(reading, ErrorKind::records_lost);
    BOOST_TEST(says(issue.text, "1 call launched a kernel"), issue.text);
    BOOST_TEST(says(issue.text, std::string(name) + " in iteration 1, from thread 4242"), issue.text);
    BOOST_TEST(!issue.retry);
    BOOST_TEST(reading.samples.empty());
  }
}

BOOST_AUTO_TEST_CASE(calls_that_need_not_end_in_a_kernel_are_let_pass) {
  for (const char* name : {"cudaGraphLaunch_v10000", "cudaLaunchHostFunc_v10000", "cudaMemcpyAsync_v3020"}) {
    BOOST_TEST(one_of_three_lost(name).read(2).issues.empty());
  }
  PhaseBuilder captured = one_of_three_lost("cudaLaunchKernel_v7000");
  captured.records.names.emplace_back("cudaStreamBeginCapture_v10000");
  BOOST_TEST(captured.read(2).issues.empty());
}

BOOST_AUTO_TEST_CASE(a_launch_may_be_recorded_before_or_after_its_kernel_and_out_of_order) {
  PhaseBuilder phase;
  for (const std::uint32_t id : {9U, 3U, 6U, 1U}) {
    phase.api(id, 1);
    phase.label(id, 0);
  }
  for (const std::uint32_t id : {6U, 1U, 9U, 3U}) {
    phase.kernel(1000, 2000, id);
  }
  BOOST_TEST(phase.read(1).issues.empty());
  std::reverse(phase.records.buffers[0].begin(), phase.records.buffers[0].end());
  BOOST_TEST(phase.read(1).issues.empty());
}

BOOST_AUTO_TEST_CASE(a_launch_of_preparation_without_its_kernel_is_in_no_figure) {
  PhaseBuilder phase = one_good_iteration();
  phase.label(20, kPreparation);
  phase.api(20, 1);
  BOOST_TEST(phase.read(1).issues.empty());
}

BOOST_AUTO_TEST_SUITE_END()
