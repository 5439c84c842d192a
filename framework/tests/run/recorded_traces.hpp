#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "collect/trace.hpp"
#include "core/result.hpp"

namespace opgate::test {

// A trace of tests/data/traces and the attempt that the GPU's own run stored while it was recorded.
struct RecordedTrace {
  std::string name;  // of the file
  collect::Trace trace;
  nlohmann::json attempt;  // as `opgate export` wrote it
  [[nodiscard]] bool measured() const { return attempt.at("status") == "measured"; }
};

// Every trace below the folder; fails where a trace and recorded.jsonl do not belong together.
[[nodiscard]] const std::vector<RecordedTrace>& recorded_traces();

// Calls `body` for each of those that gave a number on the GPU, with its name as context.
void for_each_measured(const std::function<void(const RecordedTrace&)>& body);

// All that a replay must give again, in one text: figures of every iteration, or the kind of the error.
[[nodiscard]] std::string result_of(const core::Attempt& attempt);
[[nodiscard]] std::string replayed(const collect::Trace& trace);

// Correlation id -> label, of one phase.
[[nodiscard]] std::map<std::uint32_t, std::uint64_t> labels_of(const collect::Trace& trace,
                                                               const collect::TracePhase& phase);
// The trace as it would be had no phase been lost and measured again.
[[nodiscard]] collect::Trace without_retries(collect::Trace trace);
// The trace with each phase's records in buffers of `size`.
[[nodiscard]] collect::Trace in_buffers_of(std::size_t size, collect::Trace trace);

}  // namespace opgate::test
