#include "core/sequential.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>

using namespace opgate;
using core::PairedOutcome;

namespace {

// What fresh processes of two builds would read.
struct Bench {
  double base_ns = 100'000;
  double effect = 0;           // of the candidate, fraction
  double noise = 0.002;        // of a process, relative
  double clock_noise = 0;      // of the SM clock, relative: in the time, not in the cycles
  double cycle_noise = 0;      // of cycles on top
  double drift = 0;            // of both, relative, from process to process
  double candidate_clock = 1;  // relative to the base's
  bool clocked = false;
};

core::ProcessReading read(const Bench& bench, double level, double clock, std::mt19937_64& dice) {
  std::normal_distribution<double> normal;
  const double work = level * std::exp(bench.noise * normal(dice));
  clock *= std::exp(bench.clock_noise * normal(dice));
  core::ProcessReading reading{work / clock, {}};
  if (bench.clocked) reading.cycles = work * 1.98 * std::exp(bench.cycle_noise * normal(dice));
  return reading;
}

core::PairedJudgement compare(const Bench& bench, const core::SequentialOptions& options, std::mt19937_64& dice) {
  std::vector<core::ReadingPair> pairs;
  double level = bench.base_ns;
  const auto base = [&] { return read(bench, level *= 1 + bench.drift, 1, dice); };
  const auto candidate = [&] {
    return read(bench, (level *= 1 + bench.drift) * (1 + bench.effect), bench.candidate_clock, dice);
  };
  for (;;) {
    core::ReadingPair first;
    first.base = base();
    first.candidate = candidate();
    core::ReadingPair second;
    second.candidate = candidate();
    second.base = base();
    pairs.push_back(first);
    pairs.push_back(second);
    core::PairedJudgement judgement = core::judge_pairs(pairs, options);
    if (judgement.outcome != PairedOutcome::more) return judgement;
    BOOST_REQUIRE_LT(pairs.size(), options.max_pairs);
  }
}

struct Counts {
  int slower = 0, faster = 0, unchanged = 0, undecided = 0;
  double pairs = 0;
  int outside = 0;  // comparisons whose interval missed the effect
};

Counts many(const Bench& bench, const core::SequentialOptions& options, int comparisons) {
  std::mt19937_64 dice(7);
  Counts counts;
  for (int i = 0; i < comparisons; ++i) {
    const auto judgement = compare(bench, options, dice);
    counts.slower += judgement.outcome == PairedOutcome::slower ? 1 : 0;
    counts.faster += judgement.outcome == PairedOutcome::faster ? 1 : 0;
    counts.unchanged += judgement.outcome == PairedOutcome::unchanged ? 1 : 0;
    counts.undecided += judgement.outcome == PairedOutcome::undecided ? 1 : 0;
    counts.pairs += static_cast<double>(judgement.pairs) / comparisons;
    const double effect = bench.effect * 100;
    counts.outside += *judgement.least_pct > effect || *judgement.excluded_pct < effect ? 1 : 0;
  }
  return counts;
}

// Nothing but the noise stands between equal builds and a false alarm.
core::SequentialOptions bare() {
  core::SequentialOptions options;
  options.tolerance = 1e-9;
  options.ticks = 0;
  options.tick_ns = 1e-6;
  return options;
}

core::ReadingPair times(double base, double candidate) {
  return {{base, {}}, {candidate, {}}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sequential)

// The error of 1 % holds over all looks together, at every noise, without the help of any tolerance.
BOOST_AUTO_TEST_CASE(equal_builds_alarm_in_at_most_one_percent_even_without_a_tolerance) {
  for (const double noise : {0.0005, 0.005, 0.03}) {
    Bench bench;
    bench.noise = noise;
    const Counts counts = many(bench, bare(), 4000);
    BOOST_TEST(counts.slower + counts.faster <= 40, "noise " << noise << ": " << counts.slower + counts.faster);
    BOOST_TEST(counts.outside <= 40);
    BOOST_TEST(counts.slower + counts.faster > 0);  // the error is spent, not hoarded
  }
}

// The better of two metrics is chosen anew at every look; that must not add to the error.
BOOST_AUTO_TEST_CASE(choosing_the_steadier_metric_adds_no_false_alarms) {
  Bench bench;
  bench.clocked = true;
  bench.noise = 0.0005;
  bench.clock_noise = 0.004;
  bench.cycle_noise = 0.004;
  const Counts counts = many(bench, bare(), 4000);
  BOOST_TEST(counts.slower + counts.faster <= 40, counts.slower + counts.faster);
}

BOOST_AUTO_TEST_CASE(equal_builds_are_unchanged_after_few_pairs) {
  const Counts counts = many({}, {}, 500);
  BOOST_TEST(counts.unchanged == 500);
  BOOST_TEST(counts.pairs < 8);
}

BOOST_AUTO_TEST_CASE(a_slowdown_of_twice_the_limit_is_slower_after_few_pairs) {
  Bench bench;
  bench.effect = 0.02;
  const Counts counts = many(bench, {}, 500);
  BOOST_TEST(counts.slower == 500);
  BOOST_TEST(counts.pairs < 7);
  bench.effect = -0.02;
  BOOST_TEST(many(bench, {}, 500).faster == 500);
}

// A change below the tolerance is none, however surely it is there.
BOOST_AUTO_TEST_CASE(a_change_within_the_tolerance_is_unchanged) {
  Bench bench;
  bench.effect = 0.005;
  bench.noise = 0.001;
  const Counts counts = many(bench, {}, 500);
  BOOST_TEST(counts.unchanged == 500);
  BOOST_TEST(counts.outside <= 5);
}

BOOST_AUTO_TEST_CASE(noise_beyond_the_bound_is_undecided_and_says_what_is_excluded) {
  Bench bench;
  bench.noise = 0.03;
  std::mt19937_64 dice(1);
  const auto judgement = compare(bench, {}, dice);
  BOOST_TEST((judgement.outcome == PairedOutcome::undecided));
  BOOST_TEST(judgement.pairs == 24U);
  BOOST_TEST(*judgement.excluded_pct > 1);
  BOOST_TEST(judgement.reason.find("undecided") == std::string::npos);  // the reason says why instead
  BOOST_TEST(judgement.reason.find("too noisy") != std::string::npos);
}

// A B B A: what drifts from process to process cancels within two pairs.
BOOST_AUTO_TEST_CASE(a_drift_of_both_builds_is_no_change) {
  Bench bench;
  bench.drift = 0.003;
  bench.noise = 0.0005;
  const Counts counts = many(bench, {}, 200);
  BOOST_TEST(counts.unchanged == 200);
}

BOOST_AUTO_TEST_CASE(the_clock_corrected_time_decides_where_the_clock_scatters) {
  Bench bench;
  bench.clocked = true;
  bench.clock_noise = 0.02;
  bench.noise = 0.001;
  std::mt19937_64 dice(3);
  const auto same = compare(bench, {}, dice);
  BOOST_TEST((same.metric == core::Metric::cycles));
  BOOST_TEST((same.outcome == PairedOutcome::unchanged));
  bench.clocked = false;
  BOOST_TEST(many(bench, {}, 50).undecided > 25);  // what the clock saves
}

// The candidate does the same work at a lower clock: neither "slower" nor "unchanged" would be the whole truth.
BOOST_AUTO_TEST_CASE(metrics_that_contradict_at_another_clock_leave_it_undecided) {
  Bench bench;
  bench.clocked = true;
  bench.noise = 0.0005;
  bench.candidate_clock = 0.97;
  std::mt19937_64 dice(3);
  const auto judgement = compare(bench, {}, dice);
  BOOST_TEST((judgement.outcome == PairedOutcome::undecided));
  BOOST_TEST(judgement.reason.find("contradict") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(one_tick_of_the_timer_is_never_a_change) {
  const std::vector<core::ReadingPair> pairs(8, times(1696, 1728));
  core::SequentialOptions options;
  const auto judgement = core::judge_pairs(pairs, options);
  BOOST_TEST((judgement.outcome == PairedOutcome::undecided));  // more of the same would tell nothing new
  BOOST_TEST(judgement.pairs == 8U);
  BOOST_TEST(*judgement.limit_pct == 100 * 64 / 1696.0, boost::test_tools::tolerance(1e-9));

  const std::vector<core::ReadingPair> same(4, times(1696, 1696));
  BOOST_TEST((core::judge_pairs(same, options).outcome == PairedOutcome::unchanged));
  BOOST_TEST(*core::judge_pairs(same, options).excluded_pct == 100 * 32 / 1696.0, boost::test_tools::tolerance(1e-9));
  const std::vector<core::ReadingPair> three(4, times(1696, 1792));
  BOOST_TEST((core::judge_pairs(three, options).outcome == PairedOutcome::slower));
}

BOOST_AUTO_TEST_CASE(nothing_is_decided_between_two_looks) {
  core::SequentialOptions options;
  options.max_pairs = 24;
  BOOST_TEST(core::looks(24) == (std::vector<std::size_t>{4, 6, 8, 12, 16, 24}), boost::test_tools::per_element());
  BOOST_TEST(core::looks(10) == (std::vector<std::size_t>{4, 6, 8, 10}), boost::test_tools::per_element());
  for (const std::size_t count : {0U, 1U, 2U, 3U, 5U, 7U, 10U, 14U, 22U}) {
    const std::vector<core::ReadingPair> pairs(count, times(100'000, 200'000));
    BOOST_TEST((core::judge_pairs(pairs, options).outcome == PairedOutcome::more), count);
    BOOST_TEST(core::judge_pairs(pairs, options).pairs == count);
  }
}

// Two modes: the median of both is a value that no call had, and it jumps when one more call falls to either side.
BOOST_AUTO_TEST_CASE(a_mixed_call_is_the_mean_of_its_groups) {
  core::CaseRun run;
  run.group_names = {"1 x a", "2 x a"};
  for (int i = 0; i < 100; ++i) {
    Sample sample;
    sample.group = i % 4 == 0 ? 1 : 0;
    sample.busy_ns = sample.group == 1 ? 9'000 : 5'000;
    sample.sm_mhz = 1000;
    run.samples.push_back(sample);
  }
  const auto reading = core::process_reading(run);
  BOOST_REQUIRE(reading);
  BOOST_TEST(reading->time_ns == 6'000);
  BOOST_TEST(*reading->cycles == 6'000);
  run.samples[1].sm_mhz.reset();
  BOOST_TEST(!core::process_reading(run)->cycles);
  run.samples.clear();
  BOOST_TEST(!core::process_reading(run));
}

BOOST_AUTO_TEST_CASE(each_outcome_has_its_exit_code) {
  using core::ExitCode;
  BOOST_TEST((core::exit_code_of(PairedOutcome::unchanged, false) == ExitCode::pass));
  BOOST_TEST((core::exit_code_of(PairedOutcome::faster, false) == ExitCode::pass));
  BOOST_TEST((core::exit_code_of(PairedOutcome::slower, true) == ExitCode::regression));
  BOOST_TEST((core::exit_code_of(PairedOutcome::undecided, false) == ExitCode::inconclusive));
  BOOST_TEST((core::exit_code_of(PairedOutcome::undecided, true) == ExitCode::pass));
}

BOOST_AUTO_TEST_SUITE_END()
