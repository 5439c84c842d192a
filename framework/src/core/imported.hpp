#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace opgate::core {

// The figures of a reading whose samples its tool did not keep. One number a run: it can be judged against the same
// number of other runs, but says nothing of the noise inside a run.
struct Summary {
  double busy_ns = 0;
  std::string statistic = "median";  // what busy_ns is of the tool's readings: "median" or "mean"
  std::optional<double> p10_ns, p90_ns, latency_ns, gap_ns, sm_mhz;
  std::optional<std::int64_t> readings;  // how many there were
  std::optional<std::int32_t> n_kernels;

  bool operator==(const Summary&) const = default;
};

// What a file says of a reading that another tool took. Empty: the file does not say.
struct Imported {
  std::string name;  // of the implementation, also where it is ours
  std::string protocol, timing, flush, launch;
  std::map<std::string, std::string> properties;  // what it says beyond that, in its own words
  std::optional<Summary> summary;                 // absent: there are samples

  bool operator==(const Imported&) const = default;
};

}  // namespace opgate::core
