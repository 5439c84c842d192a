#include "core/figures.hpp"

#include <boost/test/unit_test.hpp>
#include <random>

#include "core/statistics.hpp"

using namespace opgate;
using namespace opgate::core;

namespace {

Measurement of(const std::vector<std::int64_t>& busy) {
  Measurement measurement;
  for (const std::int64_t busy_ns : busy) {
    measurement.samples.push_back({.busy_ns = busy_ns,
                                   .latency_ns = busy_ns + 10,
                                   .gap_ns = 10,
                                   .n_kernels = 1,
                                   .sm_mhz = 1500,
                                   .group = static_cast<std::uint32_t>(busy_ns % 2)});
  }
  return measurement;
}

// What a timer of 32 ns reads of a call that takes `true_ns`: whole ticks, the next one as often as it must.
Measurement ticked(double true_ns) {
  std::mt19937 dice(11);
  std::uniform_real_distribution<double> phase(0, 32);
  std::vector<std::int64_t> busy;
  for (int i = 0; i < 200; ++i) {
    busy.push_back(static_cast<std::int64_t>((true_ns + phase(dice)) / 32) * 32);
  }
  return of(busy);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(figures)

BOOST_AUTO_TEST_CASE(a_tenth_goes_on_each_side_before_the_mean) {
  const SampleFigures ten = sample_figures(of({1'000'000, 1, 10, 20, 30, 40, 50, 60, 70, 83}));
  BOOST_TEST(ten.trimmed_mean_ns.value() == (10 + 20 + 30 + 40 + 50 + 60 + 70 + 83) / 8.0);
  BOOST_TEST(ten.busy_ns.value() == 45);
  BOOST_TEST(sample_figures(of({7, 8, 300})).trimmed_mean_ns.value() == 105);  // too few to leave one out
  BOOST_TEST(sample_figures(of({7})).trimmed_mean_ns.value() == 7);
  BOOST_TEST(!sample_figures(of({})).trimmed_mean_ns.has_value());
}

BOOST_AUTO_TEST_CASE(the_trimmed_mean_moves_by_fractions_of_a_tick) {
  const SampleFigures before = sample_figures(ticked(1410));
  const SampleFigures after = sample_figures(ticked(1418));  // a quarter of a tick more
  BOOST_TEST(before.busy_ns.value() == after.busy_ns.value());
  const double moved = after.trimmed_mean_ns.value() - before.trimmed_mean_ns.value();
  BOOST_TEST(moved > 3);
  BOOST_TEST(moved < 16);
}

BOOST_AUTO_TEST_CASE(each_kernel_group_has_its_own) {
  const auto groups = group_figures(of({101, 200, 103, 300, 105}).samples, {"even", "odd"});
  BOOST_REQUIRE_EQUAL(groups.size(), 2U);
  BOOST_TEST(groups[0].kernels == "even");
  BOOST_TEST(groups[0].samples == 2U);
  BOOST_TEST(groups[0].trimmed_mean_ns == 250);
  BOOST_TEST(groups[1].trimmed_mean_ns == 103);
  BOOST_TEST(groups[1].busy_ns == 103);
}

BOOST_AUTO_TEST_CASE(a_held_call_has_a_span_of_its_own_kind) {
  Measurement measurement = of({100, 100});
  SampleFigures figures = sample_figures(measurement);
  BOOST_TEST(figures.latency_ns.value() == 110);
  BOOST_TEST(figures.gap_ns.value() == 10);
  BOOST_TEST(!figures.queued_latency_ns.has_value());
  BOOST_TEST(!figures.device_gap_ns.has_value());
  measurement.launch = Launch::queued;
  figures = sample_figures(measurement);
  BOOST_TEST(!figures.latency_ns.has_value());
  BOOST_TEST(!figures.gap_ns.has_value());
  BOOST_TEST(figures.queued_latency_ns.value() == 110);
  BOOST_TEST(figures.device_gap_ns.value() == 10);
}

BOOST_AUTO_TEST_CASE(cycles_and_work_need_every_sample) {
  Measurement measurement = of({100, 200, 300});
  BOOST_TEST(sample_figures(measurement).cycles.value() == 300);  // 200 ns at 1,500 MHz
  BOOST_TEST(!sample_figures(measurement).work_ns.has_value());
  for (Sample& sample : measurement.samples) {
    sample.work_ns = sample.busy_ns + 5;
  }
  BOOST_TEST(sample_figures(measurement).work_ns.value() == 205);
  measurement.samples[0].sm_mhz.reset();
  measurement.samples[0].work_ns.reset();
  BOOST_TEST(!sample_figures(measurement).cycles.has_value());
  BOOST_TEST(!sample_figures(measurement).work_ns.has_value());
}

BOOST_AUTO_TEST_SUITE_END()
