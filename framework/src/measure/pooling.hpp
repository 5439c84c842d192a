#pragma once

#include "measure/phase.hpp"
#include "measure/protocol.hpp"

namespace opgate::measure {

[[nodiscard]] double median_busy(const std::vector<Sample>& samples);

// Adds one pass to what a candidate has so far: samples pooled, the pass median kept, retries summed, kernels and
// groups (which each phase numbers by itself) renumbered.
void add_pass(Measured& measured, PhaseOutcome&& outcome);
// The same for a pass timed by events, whose samples carry neither kernels nor groups.
void add_event_pass(Measured& measured, std::vector<Sample>&& samples);

}  // namespace opgate::measure
