#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/readings.hpp"
#include "core/verdict.hpp"

namespace opgate::core {

// What the runs of a baseline allow a reading to differ by.
struct Limit {
  double relative = 0;
  const char* from = "tolerance";  // which of the three limits is the largest
  bool from_noise = false;
};

// What holds for every comparison of one case.
struct Terms {
  RuleOptions options;
  bool other_unit = false;  // another unit of the same model
  double tick_ns = kDefaultTickNs;
};

// One metric of one reading against its baseline.
struct Comparison {
  Metric metric = Metric::time;
  Level baseline;
  double measured = 0;  // ns, or cycles
  double change = 0;    // fraction; > 0 is slower
  Limit limit;
  double detectable = 0;            // fraction
  Verdict verdict = Verdict::pass;  // pass, regressed or improved
};

// Against the first accepted baseline, in the metric that decides.
struct Creep {
  double change = 0;  // fraction
  double limit = 0;
  std::string since;
};

// One thing judged: the whole call, or of a mixed call one kernel group or the shares of its groups.
struct Finding {
  std::string subject;  // empty: the whole call
  Comparison decided;
  std::optional<Comparison> other;  // the noisier metric
  double clock_change = 0;          // of the SM clock against the baseline's, fraction
  std::optional<Creep> creep;
  std::optional<double> subtick_change;  // of the trimmed mean, fraction
  bool subtick_clear = false;            // it is beyond its own spread and the tolerance
  Verdict verdict = Verdict::pass;       // decided.verdict, inconclusive, or regressed by creep

  // Red for what all accepted baselines together let pass.
  [[nodiscard]] bool crept() const noexcept {
    return verdict == Verdict::regressed && decided.verdict != Verdict::regressed;
  }
};

// Holds one reading against one baseline. `metric`: the one to decide, else the one with less baseline noise. Absent
// when the baseline has too few runs, or the reading lacks that metric.
[[nodiscard]] std::optional<Finding> compare_reading(const UnitBaseline& baseline, const MetricReading& now,
                                                     const Terms& terms, const std::optional<Metric>& metric);

// The same for a time alone.
[[nodiscard]] Finding compare_time(const Level& baseline, double now_ns, const Terms& terms);

// Everything that is judged in one run; empty when nothing can be. `like`: findings of the run that this one confirms,
// whose metrics it uses. Says in `notes` what is left out.
[[nodiscard]] std::vector<Finding> examine(const UnitBaseline& baseline, const RunReading& now, const Terms& terms,
                                           const std::vector<Finding>& like, std::vector<std::string>& notes);

// What decides when several things were judged: a regression before a doubt, a doubt before an improvement; among
// equals the one nearest to, or furthest beyond, its limit. There must be one.
[[nodiscard]] const Finding& decisive(const std::vector<Finding>& findings);

// The words of a verdict. `cycles_to_ns` shows cycles as time.
[[nodiscard]] std::string explain(const Finding& finding, double cycles_to_ns);
[[nodiscard]] std::string percent(double fraction);  // "+1.2 %"

}  // namespace opgate::core
