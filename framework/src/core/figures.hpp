#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/kept_figures.hpp"
#include "core/result.hpp"
#include "opgate/bench.hpp"

namespace opgate::core {

// Of a run's samples on each side, before their mean: late iterations go, and the mean moves by fractions of a tick
// where the median stays on the timer's grid.
inline constexpr double kTrimEachSide = 0.1;
// Fewer samples leave p10 and p90 to one or two of them.
inline constexpr std::size_t kFewSamples = 30;

[[nodiscard]] SampleFigures sample_figures(const Measurement& measurement);
// The same; or what another tool said of readings that it did not keep; or what was kept of pruned samples.
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
// The same, by name where only figures were kept.
[[nodiscard]] std::vector<GroupFigures> group_figures(const ImplementationResult& implementation);

}  // namespace opgate::core
