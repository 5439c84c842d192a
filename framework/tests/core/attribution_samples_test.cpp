#include <boost/test/unit_test.hpp>

#include "phase_builder.hpp"

using namespace opgate;
using namespace opgate::core;

BOOST_AUTO_TEST_SUITE(attribution_samples)

namespace {

Probed three_probed() {
  Probed phase;
  for (std::uint32_t i = 0; i < 3; ++i) {
    phase.iteration(i);
  }
  return phase;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_sample_has_the_clock_of_its_own_two_probes) {
  Probed phase = three_probed();
  phase.records.stage.clocks = {{30'000, 20'000}, {31'000, 20'000},   // 1500 and 1550 MHz
                                {18'000, 10'000}, {38'000, 20'000},   // 1800 and 1900
                                {20'000, 20'000}, {20'020, 20'000}};  // 1000 and 1001: a half goes up
  const Reading reading = phase.read(3);
  BOOST_REQUIRE_EQUAL(reading.samples.size(), 3U);
  BOOST_TEST(reading.samples[0].sm_mhz.value() == 1'525);
  BOOST_TEST(reading.samples[1].sm_mhz.value() == 1'850);
  BOOST_TEST(reading.samples[2].sm_mhz.value() == 1'001);
}

BOOST_AUTO_TEST_CASE(a_probe_that_could_not_tell_leaves_its_own_sample_without_a_clock) {
  for (const std::size_t probe : {2U, 3U}) {
    for (const auto field : {&ClockReading::cycles, &ClockReading::time_ns}) {
      Probed phase = three_probed();
      phase.records.stage.clocks[probe].*field = 0;
      const Reading reading = phase.read(3);
      BOOST_REQUIRE_EQUAL(reading.samples.size(), 3U);
      BOOST_TEST(reading.samples[0].sm_mhz.value() == 1'525);
      BOOST_TEST(!reading.samples[1].sm_mhz.has_value());
      BOOST_TEST(reading.samples[2].sm_mhz.value() == 1'525);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_clock_wants_both_of_its_probes) {
  Probed phase = three_probed();
  phase.records.stage.clocks.resize(5);
  const Reading reading = phase.read(3);
  BOOST_TEST(reading.samples.at(1).sm_mhz.value() == 1'525);
  BOOST_TEST(!reading.samples.at(2).sm_mhz.has_value());
}

BOOST_AUTO_TEST_CASE(clocks_beyond_the_samples_are_nobodys) {
  Probed phase = three_probed();
  phase.records.stage.clocks.resize(8, {40'000, 20'000});
  const Reading reading = phase.read(3);
  BOOST_REQUIRE_EQUAL(reading.samples.size(), 3U);
  BOOST_TEST(reading.samples[2].sm_mhz.value() == 1'525);
}

BOOST_AUTO_TEST_CASE(the_smallest_figures_of_a_probe_are_a_clock) {
  Probed phase = three_probed();
  phase.records.stage.clocks.assign(6, {1, 1});
  BOOST_TEST(phase.read(3).samples.at(0).sm_mhz.value() == 1'000);
}

BOOST_AUTO_TEST_CASE(an_iteration_on_other_devices_reads_the_one_that_worked_longest) {
  PhaseBuilder phase;
  for (const std::uint32_t i : {0U, 1U}) {
    phase.kernel(1000, 5000, i + 1, 0, 0);
    phase.label(i + 1, i);
  }
  phase.kernel(1000, 3000, 3, 0, 1);
  phase.kernel(1000, 4500, 3, 0, 2);
  phase.kernel(1000, 3500, 3, 0, 3);
  phase.label(3, 2);
  const Reading reading = phase.read(3);
  BOOST_TEST(reading.device == 0);
  BOOST_TEST(reading.devices == 4);
  BOOST_TEST(reading.samples.at(2).busy_ns == 3500);
}

BOOST_AUTO_TEST_CASE(the_lower_device_counts_on_a_tie) {
  PhaseBuilder phase;
  phase.kernel(1000, 5000, 1, 0, 7);
  phase.kernel(1000, 5000, 1, 0, 4);
  phase.kernel(1000, 5000, 2, 0, 7);
  phase.kernel(1000, 5000, 2, 0, 4);
  phase.label(1, 0);
  phase.label(2, 1);
  BOOST_TEST(phase.read(2).device == 4);
}

BOOST_AUTO_TEST_CASE(the_lower_of_two_other_devices_counts_on_a_tie) {
  PhaseBuilder phase;
  phase.kernel(1000, 9000, 1, 0, 0);
  phase.kernel(1000, 9000, 2, 0, 0);
  phase.kernel(1000, 3000, 3, 0, 1);
  phase.kernel(1000, 2000, 3, 0, 2);  // as long, with a gap
  phase.kernel(4000, 5000, 3, 0, 2);
  for (std::uint32_t i = 0; i < 3; ++i) {
    phase.label(i + 1, i);
  }
  BOOST_TEST(phase.read(3).samples.at(2).gap_ns == 0);
}

BOOST_AUTO_TEST_CASE(grids_of_one_kernel_are_one_group_wherever_they_stand) {
  PhaseBuilder phase;
  phase.records.kernels = {{.name = "b"}, {.name = "a"}, {.name = "b"}, {.name = "a"}, {.name = "b"}, {.name = "c"}};
  const std::vector<std::vector<std::uint32_t>> launched{{0, 1}, {3, 2}, {4, 1}, {1, 4}, {5, 1}, {0, 2}, {4, 4}};
  std::uint32_t id = 0;
  for (std::uint32_t i = 0; i < launched.size(); ++i) {
    for (const std::uint32_t kernel : launched[i]) {
      phase.kernel(1000, 2000, ++id, kernel);
      phase.label(id, i);
    }
  }
  const Reading reading = phase.read(7);
  BOOST_REQUIRE_EQUAL(reading.groups.size(), 3U);
  std::vector<std::uint32_t> groups;
  for (const Sample& sample : reading.samples) {
    groups.push_back(sample.group);
  }
  BOOST_TEST(groups == (std::vector<std::uint32_t>{0, 0, 0, 0, 1, 2, 2}), boost::test_tools::per_element());
  BOOST_TEST(reading.groups[0].samples == 4);
  BOOST_TEST(reading.groups[2].kernels == (std::vector<std::uint32_t>{0, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(copies_tell_groups_apart) {
  PhaseBuilder phase;
  for (std::uint32_t i = 0; i < 4; ++i) {
    phase.kernel(1000, 2000, 2 * i + 1);
    phase.label(2 * i + 1, i);
    if (i > 1) {
      phase.copy(2000, 3000, 2 * i + 2, 64);
      phase.label(2 * i + 2, i);
    }
  }
  const Reading reading = phase.read(4, true);
  BOOST_REQUIRE_EQUAL(reading.groups.size(), 2U);
  BOOST_TEST(reading.groups[0].copies == 0);
  BOOST_TEST(reading.groups[1].copies == 1);
  BOOST_TEST(reading.groups[1].samples == 2);
}

BOOST_AUTO_TEST_CASE(no_iterations_are_no_samples) {
  const Reading reading = PhaseBuilder().read(0);
  BOOST_TEST(reading.samples.empty());
  BOOST_TEST(reading.issues.empty());
}

BOOST_AUTO_TEST_SUITE_END()
