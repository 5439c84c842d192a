#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/baseline.hpp"
#include "core/change_points.hpp"
#include "core/verdict.hpp"

namespace opgate::core {

// One reading in the history of a case: its median, and what it may be compared with.
struct SeriesReading {
  CaseIdentity identity;
  Conditions conditions;
  std::string unit;   // GPU UUID
  std::string group;  // kernel group of a mixed call; else empty
  bool replayed = false;
  std::int32_t tick_ns = 0;     // 0: unknown
  std::int32_t max_sm_mhz = 0;  // 0: unknown
  double time_ns = 0;
  std::optional<double> cycles;
  std::size_t row = 0;  // the caller's number of it
};

// Readings that may be compared with each other, one after the other, and where their level changes.
struct Series {
  SeriesReading newest;           // stands for what they share
  std::vector<std::size_t> rows;  // oldest first
  Metric metric = Metric::time;   // cycles where the clock explains most of the scatter of the time
  std::vector<double> values_ns;  // cycles as time at the highest clock
  std::vector<ChangePoint> changes;
};

// Strict: other unit, model, driver branch, CUDA, protocol, timing, flush, launch, pacing, dimensions, ... is another
// series; another number of processes is not, where the caller leaves it out. `readings` oldest first; the series of
// the newest reading comes first. `options.resolution` is taken from the readings' ticks.
[[nodiscard]] std::vector<Series> comparable_series(std::span<const SeriesReading> readings,
                                                    const ChangePointOptions& options = {});

// What scatters from run to run, whatever the level does: the median step between neighbours over the median value.
[[nodiscard]] double relative_step(std::span<const double> values);

}  // namespace opgate::core
