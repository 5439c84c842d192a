#include "core/findings.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace opgate::core {
namespace {

// Two standard deviations leave 97.7 % for the first reading, and as much for its confirmation.
constexpr double kDetectionSigmas = 2;

Limit limit_of(const Level& level, double baseline_time_ns, const Terms& terms) {
  Limit limit{terms.options.tolerance, "tolerance"};
  if (terms.other_unit) {
    limit = {terms.options.tolerance + terms.options.other_unit_extra, "tolerance for another unit"};
  }
  if (const double ticks = terms.options.ticks * terms.tick_ns / baseline_time_ns; ticks > limit.relative) {
    limit = {ticks, "ticks of the timer"};
  }
  if (const double noise = terms.options.noise_factor * level.relative_noise(); noise > limit.relative) {
    limit = {noise, "noise of the baseline"};
  }
  return limit;
}

Comparison compare(Metric metric, const Level& level, double measured, double baseline_time_ns, const Terms& terms) {
  Comparison result{
      metric, level, measured, measured / level.centre - 1, limit_of(level, baseline_time_ns, terms), Verdict::pass};
  // The margin keeps the rounding of a change of exactly the limit from crossing it.
  if (const double beyond = std::abs(result.change) - result.limit.relative; beyond > 1e-12) {
    result.verdict = result.change > 0 ? Verdict::regressed : Verdict::improved;
  }
  return result;
}

// A metric contradicts when it says something else, and the one that says "within limits" could have seen the change
// that the other claims: a limit wider than the change is no evidence against it.
bool contradicts(const Comparison& a, const Comparison& b) {
  if (a.verdict == b.verdict) {
    return false;
  }
  const auto blind_to = [](const Comparison& quiet, const Comparison& loud) {
    return quiet.verdict == Verdict::pass && quiet.limit.relative >= std::abs(loud.change);
  };
  return !blind_to(a, b) && !blind_to(b, a);
}

// The limit, what the spread of one reading and of the baseline's centre (a median of n runs) may hide of a slowdown,
// and the tick by which a median on the timer's grid may fall short.
double detectable(const Comparison& decided, double baseline_time_ns, const Terms& terms) {
  const double centre_variance = std::numbers::pi / 2 / decided.baseline.runs;
  const double spread = decided.baseline.relative_noise() * std::sqrt(1 + centre_variance);
  return decided.limit.relative + kDetectionSigmas * spread + terms.tick_ns / baseline_time_ns;
}

}  // namespace

Finding compare_time(const Level& baseline, double now_ns, const Terms& terms) {
  Finding finding;
  finding.decided = compare(Metric::time, baseline, now_ns, baseline.centre, terms);
  finding.verdict = finding.decided.verdict;
  finding.detectable = detectable(finding.decided, baseline.centre, terms);
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
  finding.detectable = detectable(finding.decided, time->centre, terms);
  if (finding.other && std::abs(finding.clock_change) > terms.options.clock_contradiction &&
      contradicts(finding.decided, *finding.other)) {
    finding.verdict = Verdict::inconclusive;
  }
  return finding;
}

}  // namespace opgate::core
