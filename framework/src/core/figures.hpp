#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "opgate/bench.hpp"

namespace opgate::core {

// Of a run's samples on each side, before their mean: late iterations go, and the mean moves by fractions of a tick
// where the median stays on the timer's grid.
inline constexpr double kTrimEachSide = 0.1;
// Fewer samples leave p10 and p90 to one or two of them.
inline constexpr std::size_t kFewSamples = 30;

// What one implementation's samples say. Only figures that exist: nothing is 0 for want of knowledge.
struct SampleFigures {
  std::size_t samples = 0;
  std::optional<double> busy_ns, p10_ns, p90_ns;  // busy_ns: the median
  std::optional<double> trimmed_mean_ns;
  std::optional<double> work_ns;                           // median sum of the kernels' own times
  std::optional<double> latency_ns, gap_ns;                // direct launch
  std::optional<double> queued_latency_ns, device_gap_ns;  // queued launch
  std::optional<double> sm_mhz;
  std::optional<double> cycles;           // median of busy time x SM clock; absent when any sample has no clock
  std::optional<std::int32_t> n_kernels;  // the largest
};
[[nodiscard]] SampleFigures sample_figures(const Measurement& measurement);
// The same, or what another tool said of readings that it did not keep.
[[nodiscard]] SampleFigures figures_of(const ImplementationResult& implementation);

// Iterations that launched the same kernels.
struct GroupFigures {
  std::string kernels;
  std::size_t samples = 0;
  double share = 0;
  double busy_ns = 0;  // median
  double trimmed_mean_ns = 0;
};
// In the order of their numbers.
[[nodiscard]] std::vector<GroupFigures> group_figures(const std::vector<Sample>& samples,
                                                      const std::vector<std::string>& names);

}  // namespace opgate::core
