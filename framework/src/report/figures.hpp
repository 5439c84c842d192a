#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/ceilings.hpp"
#include "core/figures.hpp"
#include "store/history.hpp"

namespace opgate::report {

// What one implementation's samples say, or what another tool said of its own, and what follows from the case's work.
struct Figures : core::SampleFigures {
  std::optional<core::Summary> summary;  // instead of samples: the figures another tool gave
  std::optional<double> tflops, bandwidth_tbs;
  std::vector<core::GroupFigures> groups;  // more than one: a mixed call, whose pooled median is not compared
};

[[nodiscard]] Figures figures_of(const core::ImplementationResult& implementation, const core::CaseIdentity& identity);
// How near ours of this attempt comes to what its GPU can do, as measured there or by the table.
[[nodiscard]] std::optional<core::CeilingShare> ceiling_of(const store::CaseResult& result,
                                                           const core::Attempt& attempt);
// Our implementation, "" by name; nullptr when it was not measured.
[[nodiscard]] const core::ImplementationResult* ours_of(const core::Attempt& attempt);
// Busy time as it would be at the GPU's highest SM clock; absent where either clock is unknown.
[[nodiscard]] std::optional<double> clock_corrected_ns(const core::SampleFigures& figures, std::int32_t max_sm_mhz);

}  // namespace opgate::report
