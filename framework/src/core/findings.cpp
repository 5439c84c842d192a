#include "core/findings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace opgate::core {
namespace {

// They leave 99.4 % for the first reading, and as much for each confirmation.
constexpr double kDetectionSigmas = 2.5;

// Keeps the rounding of a change of exactly the limit from crossing it.
constexpr double kRounding = 1e-12;

// A few accepted runs that were far slower than the rest widen a limit of 4 x noise beyond anything that was ever seen.
// Then the slowest accepted run, and as many times the noise of the rest, are the limit. In simulation with normal,
// Laplace, t3 and contaminated runs of 10 this raises no more false alarms, and it catches what hides behind outliers.
double reached_by_outliers(const Level& level, double baseline_time_ns, const Terms& terms) {
  if (level.runs < terms.options.outlier_runs) {
    return std::numeric_limits<double>::infinity();
  }
  const double rest = std::max(level.robust_noise / level.centre, terms.tick_ns / baseline_time_ns);
  return level.slowest / level.centre - 1 + terms.options.noise_factor * rest;
}

Limit limit_of(const Level& level, double baseline_time_ns, const Terms& terms) {
  Limit limit{terms.options.tolerance, "tolerance", false};
  if (terms.other_unit) {
    limit = {terms.options.tolerance + terms.options.other_unit_extra, "tolerance for another unit", false};
  }
  if (const double ticks = terms.options.ticks * terms.tick_ns / baseline_time_ns; ticks > limit.relative) {
    limit = {ticks, "ticks of the timer", false};
  }
  const double noise = terms.options.noise_factor * level.relative_noise();
  const double reached = reached_by_outliers(level, baseline_time_ns, terms);
  if (std::min(noise, reached) > limit.relative) {
    limit = {std::min(noise, reached), noise <= reached ? "noise of the baseline" : "outliers of the baseline", true};
  }
  return limit;
}

// The limit, what the spread of one reading and of the baseline's centre (a median of n runs) may hide of a slowdown,
// and the tick by which a median of whole ticks may fall short.
double detectable(const Limit& limit, const Level& level, double baseline_time_ns, const Terms& terms) {
  const double centre_variance = std::numbers::pi / 2 / level.runs;
  const double spread = level.relative_noise() * std::sqrt(1 + centre_variance);
  const bool whole_ticks = baseline_time_ns >= kCoarseTicks * terms.tick_ns;
  return limit.relative + kDetectionSigmas * spread + (whole_ticks ? terms.tick_ns / baseline_time_ns : 0);
}

Comparison compare(Metric metric, const Level& level, double measured, double baseline_time_ns, const Terms& terms) {
  Comparison result;
  result.metric = metric;
  result.baseline = level;
  result.measured = measured;
  result.change = measured / level.centre - 1;
  result.limit = limit_of(level, baseline_time_ns, terms);
  result.detectable = detectable(result.limit, level, baseline_time_ns, terms);
  if (result.change > result.limit.relative + kRounding) {
    result.verdict = Verdict::regressed;
  } else if (-result.change > result.detectable + kRounding) {
    // No fresh process confirms an improvement, so that it must be clear at once.
    result.verdict = Verdict::improved;
  }
  return result;
}

// Whether `other` speaks against what `decided` says.
bool contradicts(const Comparison& decided, const Comparison& other) {
  // A metric whose limit is its own noise is no witness: the clock moved in its baseline, and where it moves inside a
  // sample the corrected time is off by more than that noise tells.
  if (other.limit.from_noise || decided.verdict == other.verdict) {
    return false;
  }
  // Where `decided` is beyond its limit, `other` would have seen as much: without noise its limit is no wider.
  return decided.verdict != Verdict::pass || other.verdict == Verdict::regressed;
}

std::optional<Creep> creep_of(const std::optional<Origin>& origin, const Comparison& decided, const Terms& terms) {
  const bool cycles = decided.metric == Metric::cycles;
  if (!origin || (cycles && !origin->cycles)) {
    return std::nullopt;
  }
  const double budget = terms.options.creep_budget + (terms.other_unit ? terms.options.other_unit_extra : 0);
  const double ticks = terms.options.ticks * terms.tick_ns / origin->time_ns;
  return Creep{decided.measured / (cycles ? *origin->cycles : origin->time_ns) - 1,
               std::max({budget, ticks, decided.limit.relative}), origin->when};
}

void add_subtick(Finding& finding, const UnitBaseline& baseline, const MetricReading& now, const Terms& terms) {
  const std::optional<Level> level = level_of(baseline.subtick);
  if (!level || level->runs < terms.options.min_runs || !now.trimmed_ns) {
    return;
  }
  finding.subtick_change = *now.trimmed_ns / level->centre - 1;
  const double spread = terms.options.noise_factor * level->relative_noise();
  finding.subtick_clear = std::abs(*finding.subtick_change) > std::max(terms.options.tolerance, spread);
}

}  // namespace

Finding compare_time(const Level& baseline, double now_ns, const Terms& terms) {
  Finding finding;
  finding.decided = compare(Metric::time, baseline, now_ns, baseline.centre, terms);
  finding.verdict = finding.decided.verdict;
  return finding;
}

std::optional<Finding> compare_reading(const UnitBaseline& baseline, const MetricReading& now, const Terms& terms,
                                       const std::optional<Metric>& metric) {
  const std::optional<Level> time = level_of(baseline.time);
  if (!time || time->runs < terms.options.min_runs) {
    return std::nullopt;
  }
  Finding finding;
  finding.decided = compare(Metric::time, *time, now.time_ns, time->centre, terms);
  const std::optional<Level> cycles = level_of(baseline.cycles);
  const bool have_cycles = cycles && cycles->runs >= terms.options.min_runs && now.cycles;
  if (metric == Metric::cycles && !have_cycles) {
    return std::nullopt;
  }
  if (have_cycles) {
    finding.other = compare(Metric::cycles, *cycles, *now.cycles, time->centre, terms);
    finding.clock_change = (*now.cycles / now.time_ns) / (cycles->centre / time->centre) - 1;
    const bool steadier = cycles->relative_noise() < time->relative_noise();
    if (metric ? *metric == Metric::cycles : steadier) {
      std::swap(finding.decided, *finding.other);
    }
  }
  finding.verdict = finding.decided.verdict;
  if (finding.other && std::abs(finding.clock_change) > terms.options.clock_contradiction &&
      contradicts(finding.decided, *finding.other)) {
    finding.verdict = Verdict::inconclusive;
  }
  finding.creep = creep_of(baseline.origin, finding.decided, terms);
  if (finding.creep && finding.verdict == Verdict::pass && finding.creep->change > finding.creep->limit + kRounding) {
    finding.verdict = Verdict::regressed;
  }
  add_subtick(finding, baseline, now, terms);
  return finding;
}

}  // namespace opgate::core
