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

}  // namespace

std::string percent(double fraction) {
  return fmt::format("{:+.1f} %", fraction * 100);
}

std::string explain(const Finding& finding, double cycles_to_ns) {
  const Comparison& decided = finding.decided;
  const double scale = decided.metric == Metric::cycles ? cycles_to_ns : 1;
  const std::string subject = finding.subject.empty()
                                  ? metric_words(decided.metric)
                                  : fmt::format("{} of {}", metric_words(decided.metric), finding.subject);
  const std::string limit = fmt::format("the limit of {:.1f} % ({})", decided.limit.relative * 100, decided.limit.from);
  const std::string figures = fmt::format(
      "{}: {} against {} in {} accepted runs, {}", subject, milliseconds(decided.measured * scale),
      milliseconds(decided.baseline.centre * scale), decided.baseline.runs, slower_or_faster(decided.change));
  if (finding.verdict == Verdict::inconclusive && finding.other) {
    return fmt::format("{} ({} {}), but {} is {} ({} {}) and the SM clock {} from the baseline's", figures,
                       decided.verdict == Verdict::pass ? "within" : "beyond", limit,
                       metric_words(finding.other->metric), slower_or_faster(finding.other->change),
                       finding.other->verdict == Verdict::pass ? "within its limit of" : "beyond its limit of",
                       fmt::format("{:.1f} %", finding.other->limit.relative * 100),
                       fmt::format("differs by {}", percent(finding.clock_change)));
  }
  if (decided.verdict == Verdict::pass && -decided.change > decided.limit.relative) {
    return fmt::format("{}, beyond {}, but an improvement that nothing confirms must exceed {:.1f} %", figures, limit,
                       decided.detectable * 100);
  }
  return fmt::format("{}, {} {}", figures, decided.verdict == Verdict::pass ? "within" : "beyond", limit);
}

}  // namespace opgate::core
