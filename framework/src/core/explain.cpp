#include <fmt/format.h>

#include <cmath>

#include "core/findings.hpp"

namespace opgate::core {
namespace {

std::string milliseconds(double ns) {
  return fmt::format("{:.6f} ms", ns / 1e6);
}

std::string slower_or_faster(double change) {
  return fmt::format("{:.1f} % {}", std::abs(change) * 100, change < 0 ? "faster" : "slower");
}

const char* metric_words(Metric metric) {
  return metric == Metric::cycles ? "clock-corrected time" : "time";
}

std::string figures_of(const Finding& finding, double scale) {
  const Comparison& decided = finding.decided;
  const std::string subject = finding.subject.empty()
                                  ? metric_words(decided.metric)
                                  : fmt::format("{} of {}", metric_words(decided.metric), finding.subject);
  return fmt::format("{}: {} against {} in {} accepted runs, {}", subject, milliseconds(decided.measured * scale),
                     milliseconds(decided.baseline.centre * scale), decided.baseline.runs,
                     slower_or_faster(decided.change));
}

std::string limit_words(const Comparison& decided) {
  return fmt::format("the limit of {:.1f} % ({})", decided.limit.relative * 100, decided.limit.from);
}

std::string contradiction_words(const Finding& finding) {
  const Comparison& other = *finding.other;
  return fmt::format(" ({} {}), but {} is {} ({} {:.1f} %) and the SM clock differs by {} from the baseline's",
                     finding.decided.verdict == Verdict::pass ? "within" : "beyond", limit_words(finding.decided),
                     metric_words(other.metric), slower_or_faster(other.change),
                     other.verdict == Verdict::pass ? "within its limit of" : "beyond its limit of",
                     other.limit.relative * 100, percent(finding.clock_change));
}

// A median of a few ticks moves by whole ticks; the trimmed mean tells what lies between them.
std::string subtick_words(const Finding& finding) {
  if (!finding.subtick_change) {
    return {};
  }
  const bool slower = finding.subtick_clear && *finding.subtick_change > 0;
  if (finding.verdict == Verdict::regressed) {
    return fmt::format("; the trimmed mean, which is finer than a tick, {} {}",
                       slower ? "agrees with" : "does not: it says", percent(*finding.subtick_change));
  }
  return slower && finding.verdict == Verdict::pass
             ? fmt::format("; the trimmed mean, which is finer than a tick, says {}, too little to judge by",
                           percent(*finding.subtick_change))
             : std::string();
}

}  // namespace

std::string percent(double fraction) {
  return fmt::format("{:+.1f} %", fraction * 100);
}

std::string explain(const Finding& finding, double cycles_to_ns) {
  const Comparison& decided = finding.decided;
  const std::string figures = figures_of(finding, decided.metric == Metric::cycles ? cycles_to_ns : 1);
  if (finding.verdict == Verdict::inconclusive && finding.other) {
    return figures + contradiction_words(finding);
  }
  const std::string limit = limit_words(decided);
  if (finding.crept()) {
    return fmt::format(
        "{}, within {}, but slow creep: {:.1f} % slower than the first accepted baseline{}, beyond {:.1f} %", figures,
        limit, finding.creep->change * 100,
        finding.creep->since.empty() ? "" : " of " + finding.creep->since.substr(0, 10), finding.creep->limit * 100);
  }
  if (decided.verdict == Verdict::pass && -decided.change > decided.limit.relative) {
    return fmt::format("{}, beyond {}, but an improvement that nothing confirms must exceed {:.1f} %", figures, limit,
                       decided.detectable * 100);
  }
  return fmt::format("{}, {} {}{}", figures, decided.verdict == Verdict::pass ? "within" : "beyond", limit,
                     subtick_words(finding));
}

}  // namespace opgate::core
