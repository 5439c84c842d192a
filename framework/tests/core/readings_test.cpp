#include "core/readings.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

#include "run_builder.hpp"

using namespace opgate;
using namespace opgate::core;

BOOST_AUTO_TEST_SUITE(readings)

namespace {

CaseRun without_samples() {
  CaseRun run = run_of(1000);
  run.samples.clear();
  return run;
}

CaseRun kept_run(std::optional<double> busy_ns, std::optional<std::int32_t> n_kernels, std::size_t groups = 1) {
  CaseRun run = without_samples();
  run.kept.emplace();
  run.kept->figures.samples = 200;
  run.kept->figures.busy_ns = busy_ns;
  run.kept->figures.n_kernels = n_kernels;
  for (std::size_t i = 0; i < groups; ++i) {
    run.kept->groups.push_back({std::string(1, static_cast<char>('a' + i)), 0.5, {1700.5, {}, {}, 100}});
  }
  return run;
}

CaseRun summary_run(double busy_ns, std::optional<std::int64_t> readings, std::optional<std::int32_t> n_kernels = {}) {
  CaseRun run = without_samples();
  run.summary.emplace();
  run.summary->busy_ns = busy_ns;
  run.summary->readings = readings;
  run.summary->n_kernels = n_kernels;
  return run;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_was_kept_of_pruned_samples_is_read) {
  BOOST_TEST(!read_run(kept_run({}, 1)).has_value());
  BOOST_TEST(!read_run(kept_run(0, 1)).has_value());
  BOOST_TEST(read_run(kept_run(0.5, 1, 2)).value().pooled.time_ns == 0.5);
  const RunReading two = read_run(kept_run(1696, 1, 2)).value();
  BOOST_TEST(two.pooled.time_ns == 1696.0);
  BOOST_TEST(two.pooled.samples == 200);
  BOOST_TEST(two.groups.size() == 2U);
  // Of one group the median is the interpolated one that the group has.
  BOOST_TEST(read_run(kept_run(1696, 1)).value().pooled.time_ns == 1700.5);
}

BOOST_AUTO_TEST_CASE(samples_come_before_what_was_kept_of_others) {
  CaseRun run = kept_run(5000, 3);
  run.summary.emplace();
  run.summary->busy_ns = 7000;
  run.samples = run_of(100'000).samples;
  BOOST_TEST(read_run(run).value().pooled.time_ns == 100'000);
  BOOST_TEST(!read_run(without_samples()).has_value());
}

BOOST_AUTO_TEST_CASE(a_summary_counts_as_at_least_one_reading) {
  const auto samples = [](std::optional<std::int64_t> readings) {
    return read_run(summary_run(0.5, readings)).value().pooled.samples;
  };
  BOOST_TEST(samples({}) == 1);
  BOOST_TEST(samples(0) == 1);
  BOOST_TEST(samples(7) == 7);
  BOOST_TEST(samples(std::numeric_limits<std::int64_t>::max()) == std::numeric_limits<int>::max());
  BOOST_TEST(!read_run(summary_run(0, 7)).has_value());
}

BOOST_AUTO_TEST_CASE(only_one_kernel_proves_that_figures_do_not_overlap) {
  for (const std::optional<std::int32_t> kernels : {std::optional<std::int32_t>(), std::optional(2)}) {
    BOOST_TEST(!kernels_overlap(kept_run(1000, kernels)).has_value());
    BOOST_TEST(!kernels_overlap(summary_run(1000, 1, kernels)).has_value());
  }
  BOOST_TEST(kernels_overlap(kept_run(1000, 1)).value() == false);
  BOOST_TEST(kernels_overlap(summary_run(1000, 1, 1)).value() == false);
  BOOST_TEST(!kernels_overlap(without_samples()).has_value());
}

BOOST_AUTO_TEST_CASE(kernels_overlap_by_more_than_a_tick) {
  const auto overlap = [](std::int32_t tick_ns) {
    CaseRun run = run_of(1000);
    run.tick_ns = tick_ns;
    for (Sample& sample : run.samples) sample.work_ns = 1020;
    return kernels_overlap(run).value();
  };
  BOOST_TEST(!overlap(32));
  BOOST_TEST(!overlap(0));  // then it is 32
  BOOST_TEST(!overlap(20));
  BOOST_TEST(overlap(19));
  BOOST_TEST(overlap(1));
}

BOOST_AUTO_TEST_CASE(medians_of_fewer_than_313_ticks_are_interpolated) {
  const auto median = [](std::int64_t on, std::int32_t tick_ns) {
    CaseRun run = run_of(on);
    run.tick_ns = tick_ns;
    for (std::size_t i = 0; i < 5; ++i) run.samples[i].busy_ns += tick_ns;
    return read_run(run).value().pooled.time_ns;
  };
  BOOST_TEST(median(10016, 32) == 10016.0);
  BOOST_TEST(median(9984, 32) == 9968 + 32 * 10 / 15.0);
  BOOST_TEST(median(5008, 16) == 5008.0);
  BOOST_TEST(median(4992, 16) == 4984 + 16 * 10 / 15.0);
}

BOOST_AUTO_TEST_CASE(an_unknown_tick_is_that_of_the_usual_timer) {
  const auto median = [](std::int32_t tick_ns) {
    CaseRun run = run_of(1600);
    run.tick_ns = tick_ns;
    for (std::size_t i = 0; i < 5; ++i) run.samples[i].busy_ns += 32;
    return read_run(run).value().pooled.time_ns;
  };
  BOOST_TEST(median(0) == median(32));
  BOOST_TEST(median(-1) == median(32));
  BOOST_TEST(median(1) == 1600.0);
  BOOST_TEST(median(32) != 1600.0);
}

BOOST_AUTO_TEST_CASE(the_smallest_readings_count) {
  CaseRun run = run_of(1, 1);
  run.tick_ns = 1;
  const RunReading reading = read_run(run).value();
  BOOST_TEST(reading.pooled.time_ns == 1.0);
  BOOST_TEST(reading.pooled.cycles.value() == 0.001);
  BOOST_TEST(reading.ignored == 0);
  CaseRun clockless = run_of(1000, 0);
  BOOST_TEST(!read_run(clockless).value().pooled.cycles.has_value());
}

BOOST_AUTO_TEST_CASE(a_level_takes_every_run_above_zero) {
  const Level one = level_of(MetricBaseline{{0.5, 0, -1}, 0, 0}).value();
  BOOST_TEST(one.runs == 1);
  BOOST_TEST(one.centre == 0.5);
  BOOST_TEST(one.noise == 0.0);
  BOOST_TEST(!level_of(MetricBaseline{{0, -1}, 0, 0}).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
