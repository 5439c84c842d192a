#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collect/collector.hpp"
#include "core/attribution.hpp"
#include "core/records.hpp"
#include "measure/stage.hpp"
#include "opgate/bench.hpp"

namespace opgate::measure {

// What an iteration launched: mangled names, sorted, one per launch, and the number of its copies.
struct GroupKey {
  std::vector<std::string> kernels;
  int copies = 0;
  bool operator==(const GroupKey&) const = default;
};

// What one callable gave: samples, or the issues that forbid them, never both. `kernels` and `group_names` describe
// what was launched; Sample::group indexes group_names.
struct Measured {
  Measurement measurement;
  std::vector<core::KernelInfo> kernels;
  std::vector<std::string> group_names;
  std::vector<GroupKey> group_keys;  // what tells the groups apart, one per name
  std::vector<core::Issue> issues;
};

// Told at the start of each step: "clock", "calibrate", "warm-up", "measure".
using Progress = std::function<void(std::string_view step)>;

// The launch mode that is asked for; absent: settled by a trial of each candidate.
[[nodiscard]] std::optional<Launch> wanted_launch(const BenchOptions& options);
[[nodiscard]] double pacing_of(const BenchOptions& options);
[[nodiscard]] bool probes_clock(const BenchOptions& options);

// Measures the candidates in the order A B C C B A (one candidate: one pass) by the protocol of `options`: per
// candidate calibrate, per pass warm up and measure, with half the budgets and bounds per pass when there are several.
// The first issue of any pass ends the whole measurement. An exception of a callable passes through unchanged.
[[nodiscard]] std::vector<Measured> measure_candidates(collect::Collector& collector, Stage& stage,
                                                       const std::vector<Candidate>& candidates,
                                                       const BenchOptions& options, const Progress& progress);

}  // namespace opgate::measure
