#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>

#include "phase_builder.hpp"

using namespace opgate;
using namespace opgate::core;

BOOST_AUTO_TEST_SUITE(attribution)

BOOST_AUTO_TEST_CASE(two_iterations_of_two_kernels) {
  PhaseBuilder phase;
  phase.kernel(4000, 6000, 10);
  phase.kernel(9000, 10000, 10);
  phase.kernel(23000, 24000, 11);
  phase.kernel(29000, 31000, 11);
  phase.label(10, 0);
  phase.label(11, 1);
  const Reading reading = phase.read(2);
  BOOST_TEST(reading.issues.empty());
  BOOST_REQUIRE_EQUAL(reading.samples.size(), 2U);
  BOOST_TEST(reading.samples[0].busy_ns == 3000);
  BOOST_TEST(reading.samples[1].busy_ns == 3000);
  BOOST_TEST(reading.samples[0].latency_ns == 6000);
  BOOST_TEST(reading.samples[1].latency_ns == 8000);
  BOOST_TEST(reading.samples[0].gap_ns == 3000);
  BOOST_TEST(reading.samples[1].gap_ns == 5000);
  BOOST_TEST(reading.samples[0].n_kernels.value() == 2);
  BOOST_TEST(reading.samples[1].n_kernels.value() == 2);
}

BOOST_AUTO_TEST_CASE(identity_beats_time) {
  PhaseBuilder phase;
  phase.kernel(1000, 9000, 7);
  phase.kernel(2000, 3000, 8);
  phase.label(7, 0);
  phase.label(8, 1);
  const Reading reading = phase.read(2);
  BOOST_REQUIRE_EQUAL(reading.samples.size(), 2U);
  BOOST_TEST(reading.samples[0].busy_ns == 8000);
  BOOST_TEST(reading.samples[1].busy_ns == 1000);
}

BOOST_AUTO_TEST_CASE(overlap_counts_once) {
  PhaseBuilder phase;
  phase.kernel(1000, 5000, 3);
  phase.kernel(2000, 9000, 3);
  phase.label(3, 0);
  const Reading reading = phase.read(1);
  BOOST_REQUIRE_EQUAL(reading.samples.size(), 1U);
  BOOST_TEST(reading.samples[0].busy_ns == 8000);
  BOOST_TEST(reading.samples[0].latency_ns == 8000);
}

BOOST_AUTO_TEST_CASE(kernels_labelled_as_preparation_are_ignored) {
  PhaseBuilder phase;
  phase.kernel(1000, 2000, 3);
  phase.label(3, 0);
  for (std::uint32_t id = 100; id < 150; ++id) {
    phase.kernel(5000, 90000, id, 1);
    phase.label(id, kPreparation);
  }
  const Reading reading = phase.read(1);
  BOOST_TEST(reading.issues.empty());
  BOOST_REQUIRE_EQUAL(reading.samples.size(), 1U);
  BOOST_TEST(reading.samples[0].busy_ns == 1000);
  BOOST_TEST(reading.samples[0].n_kernels.value() == 1);
  BOOST_TEST(reading.kernels == std::vector<std::uint32_t>{0}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(work_is_the_sum_of_what_the_union_merges) {
  PhaseBuilder phase;
  phase.kernel(1000, 3000, 1);
  phase.kernel(2000, 4000, 2, 1);
  phase.label(1, 0);
  phase.label(2, 0);
  phase.kernel(6000, 7000, 3);
  phase.label(3, 1);
  const Reading reading = phase.read(2);
  BOOST_REQUIRE_EQUAL(reading.samples.size(), 2U);
  BOOST_TEST(reading.samples[0].busy_ns == 3000);
  BOOST_TEST(reading.samples[0].work_ns.value() == 4000);
  BOOST_TEST(reading.samples[1].work_ns.value() == 1000);
}

BOOST_AUTO_TEST_CASE(an_external_record_may_come_after_its_kernel_and_in_another_buffer) {
  PhaseBuilder phase;
  phase.kernel(1000, 2000, 3);
  phase.records.buffers.emplace_back();
  phase.label(3, 0);
  const Reading before = phase.read(1);
  std::swap(phase.records.buffers[0], phase.records.buffers[1]);
  const Reading after = phase.read(1);
  BOOST_REQUIRE_EQUAL(before.samples.size(), 1U);
  BOOST_REQUIRE_EQUAL(after.samples.size(), 1U);
  BOOST_TEST(before.samples[0].busy_ns == after.samples[0].busy_ns);
}

BOOST_AUTO_TEST_CASE(the_order_of_records_changes_nothing) {
  PhaseBuilder phase;
  for (std::uint32_t i = 0; i < 60; ++i) {
    phase.kernel(1000 * i + 100, 1000 * i + 200 + i, 2 * i + 1);
    phase.kernel(1000 * i + 150, 1000 * i + 400 + i, 2 * i + 2, 1);
    phase.label(2 * i + 1, i);
    phase.label(2 * i + 2, i);
  }
  const Reading in_order = phase.read(60);
  std::mt19937 dice(7);
  std::shuffle(phase.records.buffers[0].begin(), phase.records.buffers[0].end(), dice);
  const Reading shuffled = phase.read(60);
  BOOST_REQUIRE_EQUAL(shuffled.samples.size(), 60U);
  BOOST_REQUIRE_EQUAL(shuffled.groups.size(), 1U);
  for (std::size_t i = 0; i < 60; ++i) {
    BOOST_TEST(shuffled.samples[i].busy_ns == static_cast<std::int64_t>(300 + i));
    BOOST_TEST(in_order.samples[i].busy_ns == shuffled.samples[i].busy_ns);
  }
}

BOOST_AUTO_TEST_CASE(how_far_ids_lie_apart_changes_nothing) {
  for (const std::uint32_t spread : {1U, 5U, 40U, 70'000'000U}) {
    PhaseBuilder phase;
    for (std::uint32_t i = 0; i < 30; ++i) {
      phase.kernel(1000 * i + 100, 1000 * i + 200 + i, i * spread + 9);
      phase.label(i * spread + 9, i);
      phase.external(i * spread + 9, external_id(kNonce + 1, 3));  // of an earlier phase: ours wins
    }
    const Reading reading = phase.read(30);
    BOOST_REQUIRE_EQUAL(reading.samples.size(), 30U);
    for (std::size_t i = 0; i < 30; ++i) {
      BOOST_TEST(reading.samples[i].busy_ns == static_cast<std::int64_t>(100 + i));
    }
    phase.kernel(90'000, 90'100, 29 * spread + 10);  // an id beyond the last
    phase.kernel(90'000, 90'100, 8);                 // and one before the first
    BOOST_REQUIRE_EQUAL(phase.read(30).issues.size(), 1U);
    BOOST_TEST(says(phase.read(30).issues[0].text, "2 "), phase.read(30).issues[0].text);
  }
}

BOOST_AUTO_TEST_CASE(other_kinds_of_external_ids_are_the_ops_own) {
  PhaseBuilder phase;
  phase.kernel(1000, 2000, 3);
  phase.external(3, external_id(kNonce, 1), kKind - 1);
  phase.label(3, 0);
  const Reading reading = phase.read(1);
  BOOST_TEST(reading.issues.empty());
  BOOST_TEST(reading.samples.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_label_of_this_phase_wins_over_another_of_the_same_kind) {
  PhaseBuilder phase;
  phase.kernel(1000, 2000, 3);
  phase.label(3, 0);
  phase.external(3, external_id(kNonce + 1, 7));
  phase.label(3, 0);
  phase.kernel(1000, 2000, 4);
  phase.external(4, external_id(kNonce + 1, 7));
  phase.label(4, 1);
  const Reading reading = phase.read(2);
  BOOST_TEST(reading.issues.empty());
  BOOST_TEST(reading.samples.size() == 2U);
}

BOOST_AUTO_TEST_CASE(iterations_with_other_kernels_form_groups) {
  PhaseBuilder phase;
  for (std::uint32_t i = 0; i < 6; ++i) {
    phase.kernel(1000, 2000, 2 * i + 1);
    phase.label(2 * i + 1, i);
    if (i % 2 == 1) {
      phase.kernel(3000, 4000, 2 * i + 2, 1);
      phase.label(2 * i + 2, i);
    }
  }
  const Reading reading = phase.read(6);
  BOOST_REQUIRE_EQUAL(reading.groups.size(), 2U);
  BOOST_TEST(reading.groups[0].samples == 3);
  BOOST_TEST(reading.groups[1].samples == 3);
  BOOST_TEST(reading.groups[0].kernels == (std::vector<std::uint32_t>{0}), boost::test_tools::per_element());
  BOOST_TEST(reading.groups[1].kernels == (std::vector<std::uint32_t>{0, 1}), boost::test_tools::per_element());
  BOOST_TEST(reading.samples[4].group == 0U);
  BOOST_TEST(reading.samples[5].group == 1U);
  BOOST_TEST(reading.samples[5].n_kernels.value() == 2);
}

BOOST_AUTO_TEST_CASE(the_same_count_of_another_kernel_is_another_group) {
  PhaseBuilder phase;
  phase.kernel(1000, 2000, 1, 0);
  phase.kernel(1000, 2000, 2, 1);
  phase.label(1, 0);
  phase.label(2, 1);
  BOOST_TEST(phase.read(2).groups.size() == 2U);
}

BOOST_AUTO_TEST_CASE(another_grid_of_the_same_kernel_is_the_same_group) {
  PhaseBuilder phase;
  phase.records.kernels.push_back({.name = "_Z10add_kernelPf", .grid = {9, 1, 1}});
  phase.kernel(1000, 2000, 1, 0);
  phase.kernel(1000, 2000, 2, 2);
  phase.label(1, 0);
  phase.label(2, 1);
  const Reading reading = phase.read(2);
  BOOST_TEST(reading.groups.size() == 1U);
  BOOST_TEST(reading.kernels == (std::vector<std::uint32_t>{0, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(devices_are_united_each_by_itself_and_the_largest_counts) {
  PhaseBuilder phase;
  phase.kernel(1000, 5000, 1, 0, 0);
  phase.kernel(2000, 9000, 1, 0, 3);
  phase.kernel(1000, 7000, 2, 0, 0);
  phase.kernel(2000, 8000, 2, 0, 3);
  phase.label(1, 0);
  phase.label(2, 1);
  const Reading reading = phase.read(2);
  BOOST_REQUIRE_EQUAL(reading.samples.size(), 2U);
  BOOST_TEST(reading.samples[0].busy_ns == 7000);
  BOOST_TEST(reading.samples[0].latency_ns == 7000);
  BOOST_TEST(reading.samples[0].n_kernels.value() == 2);
  BOOST_TEST(reading.samples[1].busy_ns == 6000);
  BOOST_TEST(reading.device == 3);
  BOOST_TEST(reading.devices == 2);
}

BOOST_AUTO_TEST_CASE(the_figure_stays_with_one_device) {
  PhaseBuilder phase;
  phase.kernel(1000, 5000, 1, 0, 0);  // 4 us against 7 us
  phase.kernel(1000, 8000, 1, 0, 1);
  phase.kernel(1000, 7000, 2, 0, 0);  // 6 us against 5 us
  phase.kernel(1000, 6000, 2, 0, 1);
  phase.label(1, 0);
  phase.label(2, 1);
  const Reading reading = phase.read(2);
  BOOST_TEST(reading.device == 1);
  BOOST_TEST(reading.samples.at(1).busy_ns == 5000);
}

BOOST_AUTO_TEST_CASE(an_iteration_on_another_device_never_reads_zero) {
  PhaseBuilder phase;
  phase.kernel(1000, 5000, 1, 0, 0);
  phase.kernel(1000, 5000, 2, 0, 0);
  phase.kernel(1000, 4000, 3, 0, 1);
  phase.label(1, 0);
  phase.label(2, 1);
  phase.label(3, 2);
  const Reading reading = phase.read(3);
  BOOST_TEST(reading.device == 0);
  BOOST_TEST(reading.samples.at(2).busy_ns == 3000);
}

BOOST_AUTO_TEST_CASE(a_kernel_of_no_length_is_legal) {
  PhaseBuilder phase;
  phase.kernel(1000, 1000, 1);
  phase.label(1, 0);
  const Reading reading = phase.read(1);
  BOOST_TEST(reading.issues.empty());
  BOOST_TEST(reading.samples.at(0).busy_ns == 0);
}

BOOST_AUTO_TEST_CASE(a_kernel_may_start_at_the_first_nanosecond) {
  PhaseBuilder phase;
  phase.kernel(1, 5, 1);
  phase.label(1, 0);
  const Reading reading = phase.read(1);
  BOOST_TEST(reading.issues.empty());
  BOOST_TEST(reading.samples.at(0).busy_ns == 4);
}

BOOST_AUTO_TEST_CASE(allowed_copies_belong_to_the_busy_time) {
  PhaseBuilder phase;
  phase.kernel(1000, 2000, 1);
  phase.copy(1500, 4000, 2, 4096);
  phase.set(6000, 7000, 3, 64);
  phase.label(1, 0);
  phase.label(2, 0);
  phase.label(3, 0);
  const Reading reading = phase.read(1, true);
  BOOST_TEST(reading.issues.empty());
  BOOST_REQUIRE_EQUAL(reading.samples.size(), 1U);
  BOOST_TEST(reading.samples[0].busy_ns == 4000);
  BOOST_TEST(reading.samples[0].latency_ns == 6000);
  BOOST_TEST(reading.samples[0].n_kernels.value() == 1);
  BOOST_TEST(reading.groups.at(0).copies == 2);
}

BOOST_AUTO_TEST_CASE(a_call_of_copies_alone_is_measured_where_they_are_allowed) {
  PhaseBuilder phase;
  phase.copy(1500, 4000, 2, 4096);
  phase.label(2, 0);
  const Reading reading = phase.read(1, true);
  BOOST_TEST(reading.issues.empty());
  BOOST_TEST(reading.samples.at(0).busy_ns == 2500);
  BOOST_TEST(reading.samples.at(0).n_kernels.value() == 0);
}

BOOST_AUTO_TEST_CASE(flipping_one_correlation_id_changes_the_result) {
  PhaseBuilder phase;
  Record& first = phase.kernel(1000, 9000, 7);
  first.correlation_id = 8;
  phase.kernel(2000, 3000, 8);
  phase.label(7, 0);
  phase.label(8, 1);
  BOOST_TEST(phase.read(2).samples.empty());
}

BOOST_AUTO_TEST_SUITE_END()
