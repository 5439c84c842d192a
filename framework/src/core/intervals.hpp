#pragma once

#include <cstdint>
#include <span>

namespace opgate::core {

struct Interval {
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  bool operator==(const Interval&) const = default;
};

struct Extent {
  std::int64_t busy_ns = 0;  // length of the union
  std::int64_t span_ns = 0;  // last end - first start
  std::int64_t work_ns = 0;  // sum of the intervals: more than busy_ns where they overlap
  [[nodiscard]] std::int64_t gap_ns() const noexcept { return span_ns - busy_ns; }
  bool operator==(const Extent&) const = default;
};

// Union length, span and sum of intervals in any order; sorts in place. end >= start is the caller's promise. Empty:
// zeros.
[[nodiscard]] Extent measure_union(std::span<Interval> intervals);

}  // namespace opgate::core
