#include "core/intervals.hpp"

#include <algorithm>

namespace opgate::core {

Extent measure_union(std::span<Interval> intervals) {
  if (intervals.empty()) {
    return {};
  }
  const auto by_start = [](const Interval& a, const Interval& b) { return a.start_ns < b.start_ns; };
  // Records mostly arrive in order, and checking costs less than sorting.
  if (!std::is_sorted(intervals.begin(), intervals.end(), by_start)) {
    std::sort(intervals.begin(), intervals.end(), by_start);
  }
  Interval merged = intervals.front();
  std::int64_t busy_ns = 0;
  std::int64_t work_ns = merged.end_ns - merged.start_ns;
  for (const Interval& next : intervals.subspan(1)) {
    work_ns += next.end_ns - next.start_ns;
    if (next.start_ns > merged.end_ns) {
      busy_ns += merged.end_ns - merged.start_ns;
      merged = next;
    } else {
      merged.end_ns = std::max(merged.end_ns, next.end_ns);
    }
  }
  busy_ns += merged.end_ns - merged.start_ns;
  // Merging in order of start leaves the latest end in the last block.
  return {busy_ns, merged.end_ns - intervals.front().start_ns, work_ns};
}

}  // namespace opgate::core
