// The limits of the rule, to the last digit: every figure is a sum of powers of two.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "core/findings.hpp"
#include "run_builder.hpp"

using namespace opgate;
using namespace opgate::core;

BOOST_AUTO_TEST_SUITE(limits)

namespace {

constexpr double kCentre = 65536;
constexpr double kTolerance = 1.0 / 64;
constexpr double kUlps = 1e-9;  // more than the arithmetic is off by, less than the rule rounds by

Terms terms(double tick_ns = 32, bool other_unit = false) {
  Terms terms{.options = {}, .other_unit = other_unit, .tick_ns = tick_ns};
  terms.options.tolerance = kTolerance;
  terms.options.other_unit_extra = 1.0 / 32;
  terms.options.creep_budget = 1.0 / 16;
  terms.options.clock_contradiction = 0.25;
  return terms;
}

Level quiet(double centre = kCentre) {
  return {.centre = centre, .noise = 0, .runs = 5, .slowest = centre, .robust_noise = 0};
}

Limit limit(const Level& level, const Terms& terms) {
  return compare_time(level, level.centre, terms).decided.limit;
}

Verdict verdict(const Level& level, double now_ns, const Terms& terms) {
  return compare_time(level, now_ns, terms).verdict;
}

MetricBaseline runs(double centre, std::size_t count = 5) {
  return {std::vector<double>(count, centre), centre, 0};
}

MetricReading reading(double time_ns, std::optional<double> cycles = {}, std::optional<double> trimmed_ns = {}) {
  return {time_ns, cycles, trimmed_ns, 200};
}

UnitBaseline unit(double time_ns, std::optional<double> cycles = {}) {
  UnitBaseline unit;
  unit.time = runs(time_ns);
  if (cycles) unit.cycles = runs(*cycles);
  return unit;
}

Finding found(const UnitBaseline& unit, const MetricReading& now, const Terms& terms,
              const std::optional<Metric>& metric = {}) {
  return compare_reading(unit, now, terms, metric).value();
}

#define CHECK_LIMIT(level, terms, expected, words, noisy) \
  do {                                                    \
    const Limit is = limit(level, terms);                 \
    BOOST_TEST(is.relative == (expected));                \
    BOOST_TEST(is.from == std::string(words));            \
    BOOST_TEST(is.from_noise == (noisy));                 \
  } while (false)

}  // namespace

BOOST_AUTO_TEST_CASE(the_tolerance_is_the_least) {
  CHECK_LIMIT(quiet(), terms(), kTolerance, "tolerance", false);
  CHECK_LIMIT(quiet(), terms(32, true), 3.0 / 64, "tolerance for another unit", false);
}

BOOST_AUTO_TEST_CASE(ticks_count_only_beyond_it) {
  Terms one = terms();
  one.options.ticks = 1;
  CHECK_LIMIT(quiet(2048), one, kTolerance, "tolerance", false);
  CHECK_LIMIT(quiet(1024), one, 1.0 / 32, "ticks of the timer", false);
  CHECK_LIMIT(quiet(2048), terms(), 3.0 / 64, "ticks of the timer", false);
}

BOOST_AUTO_TEST_CASE(noise_counts_only_beyond_it) {
  Level level = quiet();
  level.noise = 256;
  CHECK_LIMIT(level, terms(), kTolerance, "tolerance", false);
  level.noise = 512;
  CHECK_LIMIT(level, terms(), 1.0 / 32, "noise of the baseline", true);
}

BOOST_AUTO_TEST_CASE(outliers_reach_as_far_as_the_slowest_and_the_noise_of_the_rest) {
  Level level{.centre = kCentre, .noise = 2048, .runs = 8, .slowest = kCentre + 2048, .robust_noise = 256};
  CHECK_LIMIT(level, terms(), 3.0 / 64, "outliers of the baseline", true);
  level.runs = 7;
  CHECK_LIMIT(level, terms(), 1.0 / 8, "noise of the baseline", true);
  level.runs = 8;
  level.noise = 768;
  CHECK_LIMIT(level, terms(), 3.0 / 64, "noise of the baseline", true);
  level.robust_noise = 0;  // the rest lies within a tick
  level.noise = 2048;
  CHECK_LIMIT(level, terms(512), 1.0 / 16, "outliers of the baseline", true);
  level.slowest = kCentre;
  CHECK_LIMIT(level, terms(), kTolerance, "tolerance", false);
  level.robust_noise = 256;
  CHECK_LIMIT(level, terms(), kTolerance, "tolerance", false);  // as far as the tolerance, and no further
}

BOOST_AUTO_TEST_CASE(beyond_the_limit_is_slower_and_at_it_is_not) {
  const double at = kCentre + 1024;
  BOOST_TEST((verdict(quiet(), at, terms()) == Verdict::pass));
  BOOST_TEST((verdict(quiet(), at + kUlps, terms()) == Verdict::pass));
  BOOST_TEST((verdict(quiet(), at + 1, terms()) == Verdict::regressed));
}

BOOST_AUTO_TEST_CASE(beyond_what_is_detectable_is_faster_and_at_it_is_not) {
  const double at = kCentre - 1024 - 64;
  BOOST_TEST((verdict(quiet(), at, terms(64)) == Verdict::pass));
  BOOST_TEST((verdict(quiet(), at - kUlps, terms(64)) == Verdict::pass));
  BOOST_TEST((verdict(quiet(), at - 1, terms(64)) == Verdict::improved));
}

// The last digit that is taken for rounding; these sums have no error of their own.
BOOST_AUTO_TEST_CASE(a_change_of_the_limit_and_its_rounding_is_at_the_limit) {
  Terms wide = terms();
  wide.options.tolerance = 1;
  BOOST_TEST((verdict(quiet(), kCentre * (2 + 1e-12), wide) == Verdict::pass));
  BOOST_TEST((verdict(quiet(), kCentre * (2 + 2e-12), wide) == Verdict::regressed));
  wide.options.tolerance = 0.25;
  BOOST_TEST((verdict(quiet(8192), 8192 * (0.75 - 1e-12), wide) == Verdict::pass));
  BOOST_TEST((verdict(quiet(8192), 8192 * (0.75 - 2e-12), wide) == Verdict::improved));
}

BOOST_AUTO_TEST_CASE(what_is_detectable_adds_spread_and_tick_to_the_limit) {
  const auto detectable = [](const Level& level) {
    return compare_time(level, level.centre, terms()).decided.detectable;
  };
  BOOST_TEST(detectable(quiet()) == kTolerance + 32 / kCentre);
  Level noisy = quiet();
  noisy.noise = 512;
  const double spread = std::sqrt(1 + std::numbers::pi / 10) / 128;
  BOOST_TEST(detectable(noisy) == 1.0 / 32 + 2.5 * spread + 32 / kCentre, boost::test_tools::tolerance(1e-12));
  // From 313 ticks on a median only takes whole ticks.
  BOOST_TEST(detectable(quiet(9984)) == kTolerance);
  BOOST_TEST(detectable(quiet(10016)) == kTolerance + 32 / 10016.0);
  BOOST_TEST(detectable(quiet(9599)) == kTolerance);
}

BOOST_AUTO_TEST_CASE(a_baseline_of_five_runs_is_judged_and_one_of_four_is_not) {
  UnitBaseline few;
  BOOST_TEST(!compare_reading(few, reading(kCentre), terms(), {}).has_value());
  few.time = runs(kCentre, 4);
  BOOST_TEST(!compare_reading(few, reading(kCentre), terms(), {}).has_value());
  few.time = runs(kCentre, 5);
  BOOST_TEST(found(few, reading(kCentre), terms()).decided.baseline.runs == 5);
}

BOOST_AUTO_TEST_CASE(cycles_decide_only_where_both_sides_have_them) {
  const MetricReading now = reading(kCentre, 2 * kCentre);
  UnitBaseline both = unit(kCentre, 2 * kCentre);
  BOOST_TEST((found(both, now, terms(), Metric::cycles).decided.metric == Metric::cycles));
  BOOST_TEST((found(both, now, terms()).decided.metric == Metric::time));  // no quieter
  BOOST_TEST((found(both, now, terms()).other.value().metric == Metric::cycles));
  both.cycles = runs(2 * kCentre, 4);
  BOOST_TEST(!compare_reading(both, now, terms(), Metric::cycles).has_value());
  BOOST_TEST(!found(both, now, terms()).other.has_value());
  BOOST_TEST(!compare_reading(unit(kCentre, 2 * kCentre), reading(kCentre), terms(), Metric::cycles).has_value());
  UnitBaseline shaky = unit(kCentre, 2 * kCentre);
  shaky.time->run_medians_ns.back() += 1;
  BOOST_TEST((found(shaky, now, terms()).decided.metric == Metric::cycles));
  BOOST_TEST((found(shaky, now, terms(), Metric::time).decided.metric == Metric::time));
}

BOOST_AUTO_TEST_CASE(a_clock_must_differ_by_more_than_its_limit_to_contradict) {
  const UnitBaseline baseline = unit(kCentre, 2 * kCentre);
  // A quarter slower in time, as many cycles: the clock was a quarter slower, or a bit more.
  MetricReading now = reading(kCentre * 1.25, kCentre * 1.25 * 2 * 0.75);
  BOOST_TEST(found(baseline, now, terms()).clock_change == -0.25);
  BOOST_TEST((found(baseline, now, terms()).verdict == Verdict::regressed));
  now.cycles = *now.cycles - 1;
  BOOST_TEST((found(baseline, now, terms()).verdict == Verdict::inconclusive));
}

BOOST_AUTO_TEST_CASE(cycles_that_stayed_speak_against_a_slower_and_a_faster_time) {
  Terms strict = terms();
  strict.options.clock_contradiction = 0.01;
  const UnitBaseline baseline = unit(kCentre, 2 * kCentre);
  const Finding slower = found(baseline, reading(kCentre * 1.03125, 2 * kCentre), strict);
  BOOST_TEST((slower.decided.verdict == Verdict::regressed));
  BOOST_TEST((slower.verdict == Verdict::inconclusive));
  const Finding faster = found(baseline, reading(kCentre * 0.9375, 2 * kCentre), strict);
  BOOST_TEST((faster.decided.verdict == Verdict::improved));
  BOOST_TEST((faster.verdict == Verdict::inconclusive));
  // Fewer cycles in the same time are no doubt of a pass.
  BOOST_TEST((found(baseline, reading(kCentre, kCentre), strict).verdict == Verdict::pass));
}

BOOST_AUTO_TEST_CASE(creep_is_held_against_the_largest_of_budget_ticks_and_limit) {
  UnitBaseline baseline = unit(kCentre);
  baseline.origin = Origin{kCentre, {}, "2026-05-01", "c"};
  const auto creep = [&](const Terms& terms) { return found(baseline, reading(kCentre), terms).creep.value(); };
  BOOST_TEST(creep(terms()).limit == 1.0 / 16);
  BOOST_TEST(creep(terms()).change == 0.0);
  BOOST_TEST(creep(terms(32, true)).limit == 3.0 / 32);
  BOOST_TEST(creep(terms(2048)).limit == 3.0 / 32);
  Terms wide = terms();
  wide.options.tolerance = 1.0 / 8;
  BOOST_TEST(creep(wide).limit == 1.0 / 8);
}

BOOST_AUTO_TEST_CASE(ticks_of_creep_are_those_of_the_origin) {
  UnitBaseline baseline = unit(kCentre);
  baseline.origin = Origin{1024, {}, "2026-05-01", "c"};
  BOOST_TEST(found(baseline, reading(kCentre), terms()).creep.value().limit == 3.0 / 32);
  BOOST_TEST(found(baseline, reading(kCentre), terms()).creep.value().change == 63.0);
}

BOOST_AUTO_TEST_CASE(at_its_budget_a_case_has_not_crept) {
  UnitBaseline baseline = unit(kCentre);
  const double before = kCentre / 2;
  Terms doubled = terms();
  doubled.options.creep_budget = 1;
  baseline.origin = Origin{before, {}, "2026-05-01", "c"};
  BOOST_TEST((found(baseline, reading(kCentre), doubled).verdict == Verdict::pass));
  BOOST_TEST((found(baseline, reading(kCentre + kUlps), doubled).verdict == Verdict::pass));
  BOOST_TEST((found(baseline, reading(before * (2 + 1e-12)), doubled).verdict == Verdict::pass));
  BOOST_TEST((found(baseline, reading(kCentre + 1), doubled).verdict == Verdict::regressed));
  BOOST_TEST(found(baseline, reading(kCentre + 1), doubled).crept());
}

BOOST_AUTO_TEST_CASE(creep_is_told_in_the_metric_that_decides) {
  UnitBaseline baseline = unit(kCentre, 2 * kCentre);
  baseline.origin = Origin{kCentre, 4 * kCentre, "2026-05-01", "c"};
  const MetricReading now = reading(kCentre, 2 * kCentre);
  BOOST_TEST(found(baseline, now, terms(), Metric::time).creep.value().change == 0.0);
  BOOST_TEST(found(baseline, now, terms(), Metric::cycles).creep.value().change == -0.5);
  baseline.origin->cycles.reset();
  BOOST_TEST(found(baseline, now, terms(), Metric::time).creep.has_value());
  BOOST_TEST(!found(baseline, now, terms(), Metric::cycles).creep.has_value());
}

BOOST_AUTO_TEST_CASE(an_improvement_or_a_doubt_has_not_crept) {
  UnitBaseline baseline = unit(kCentre);
  baseline.origin = Origin{kCentre / 4, {}, "2026-05-01", "c"};
  const Finding faster = found(baseline, reading(kCentre / 2), terms());
  BOOST_TEST(faster.creep.value().change == 1.0);
  BOOST_TEST((faster.verdict == Verdict::improved));
}

BOOST_AUTO_TEST_CASE(what_lies_below_a_tick_is_clear_beyond_tolerance_and_spread) {
  UnitBaseline baseline = unit(kCentre);
  baseline.subtick = runs(kCentre);
  const auto now = [&](double trimmed_ns) { return found(baseline, reading(kCentre, {}, trimmed_ns), terms()); };
  BOOST_TEST(now(kCentre + 1024).subtick_change.value() == kTolerance);
  BOOST_TEST(!now(kCentre + 1024).subtick_clear);
  BOOST_TEST(now(kCentre + 1025).subtick_clear);
  BOOST_TEST(now(kCentre - 1025).subtick_clear);
  baseline.subtick->run_medians_ns = {kCentre - 512, kCentre - 512, kCentre, kCentre + 512, kCentre + 512};
  BOOST_TEST(!now(kCentre + 2048).subtick_clear);  // four times 512
  BOOST_TEST(now(kCentre + 2049).subtick_clear);
}

BOOST_AUTO_TEST_CASE(a_trimmed_mean_wants_five_runs_too) {
  UnitBaseline baseline = unit(kCentre);
  const MetricReading now = reading(kCentre, {}, kCentre);
  BOOST_TEST(!found(baseline, now, terms()).subtick_change.has_value());
  baseline.subtick = runs(kCentre, 4);
  BOOST_TEST(!found(baseline, now, terms()).subtick_change.has_value());
  baseline.subtick = runs(kCentre, 5);
  BOOST_TEST(found(baseline, now, terms()).subtick_change.value() == 0.0);
  BOOST_TEST(!found(baseline, reading(kCentre), terms()).subtick_change.has_value());
}

BOOST_AUTO_TEST_SUITE_END()
