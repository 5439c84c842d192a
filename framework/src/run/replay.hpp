#pragma once

#include <memory>

#include "collect/trace.hpp"
#include "core/result.hpp"
#include "run/request.hpp"
#include "run/world.hpp"

namespace opgate::run {

// A world in which the calls do nothing and the records are those of the trace.
[[nodiscard]] std::unique_ptr<World> make_replay_world(collect::Trace trace);

// Runs the protocol that the trace was recorded with over its records: the same figures or the same error as on the
// GPU.
[[nodiscard]] core::Attempt replay_trace(const collect::Trace& trace);

// What the trace was measured with; what differs in `options` is an Error(trace) later, at the first phase that
// differs.
[[nodiscard]] BenchOptions recorded_options(const collect::Trace& trace);

}  // namespace opgate::run
