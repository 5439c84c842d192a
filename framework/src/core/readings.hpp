#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/kept_figures.hpp"
#include "core/verdict.hpp"

namespace opgate::core {

inline constexpr std::int32_t kDefaultTickNs = 32;  // what an H200's CUPTI timestamps step by

// Below so many ticks of the timer a median that only takes whole ticks is too coarse, and is interpolated: on an H200
// below 10 us, where one tick more or less is beyond a third of the usual tolerance.
inline constexpr int kCoarseTicks = 313;

struct RunReading {
  MetricReading pooled;
  std::vector<GroupReading> groups;  // by name
  int ignored = 0;                   // readings of zero or less
};

// Whether kernels of a call ran at the same time, by more than a tick of the timer; absent where a sample does not say.
[[nodiscard]] std::optional<bool> kernels_overlap(const CaseRun& run);

// Absent when no sample is above zero.
[[nodiscard]] std::optional<RunReading> read_run(const CaseRun& run);

// Centre and noise of a baseline's runs; absent when none is above zero.
struct Level {
  double centre = 0;
  double noise = 0;
  int runs = 0;
  double slowest = 0;
  double robust_noise = 0;  // from the median absolute deviation, which outliers do not reach
  [[nodiscard]] double relative_noise() const noexcept { return noise / centre; }
};
[[nodiscard]] std::optional<Level> level_of(const std::optional<MetricBaseline>& metric);

}  // namespace opgate::core
