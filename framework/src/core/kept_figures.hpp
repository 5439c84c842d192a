#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace opgate::core {

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
  bool operator==(const SampleFigures&) const = default;
};

// The medians of one run, or of one kernel group in it; see kCoarseTicks of core/readings.hpp.
struct MetricReading {
  double time_ns = 0;
  std::optional<double> cycles;      // absent when any sample has no clock
  std::optional<double> trimmed_ns;  // mean without the outer tenths: moves by less than a tick
  int samples = 0;
  bool operator==(const MetricReading&) const = default;
};

struct GroupReading {
  std::string name;
  double share = 0;  // of the run's iterations
  MetricReading reading;
  bool operator==(const GroupReading&) const = default;
};

// What stays of an implementation whose samples were pruned from the history.
struct KeptFigures {
  SampleFigures figures;
  std::vector<GroupReading> groups;  // by name; at least one
  bool operator==(const KeptFigures&) const = default;
};

}  // namespace opgate::core
