#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "store/history.hpp"

namespace opgate::report {

// Iterations that launched the same kernels.
struct GroupFigures {
  std::string kernels;
  double share = 0;
  double busy_ns = 0;
};

// What one implementation's samples say, or what another tool said of its own. Only figures that exist: nothing is 0
// for want of knowledge.
struct Figures {
  std::size_t samples = 0;
  std::optional<core::Summary> summary;  // instead of samples: the figures another tool gave
  std::optional<double> busy_ns, p10_ns, p90_ns;
  std::optional<double> latency_ns, gap_ns;                // direct launch
  std::optional<double> queued_latency_ns, device_gap_ns;  // queued launch
  std::optional<double> tflops, bandwidth_tbs, sm_mhz;
  std::optional<std::int32_t> n_kernels;
  std::vector<GroupFigures> groups;  // more than one: a mixed call, whose pooled median is not compared
};

[[nodiscard]] Figures figures_of(const core::ImplementationResult& implementation, const core::CaseIdentity& identity);
// Our implementation, "" by name; nullptr when it was not measured.
[[nodiscard]] const core::ImplementationResult* ours_of(const core::Attempt& attempt);

}  // namespace opgate::report
