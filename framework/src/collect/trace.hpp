#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collect/collector.hpp"
#include "core/result.hpp"

namespace opgate::collect {

struct TracePhase {
  PhasePlan plan;
  std::uint32_t nonce = 0;
  core::PhaseRecords records;
  bool operator==(const TracePhase&) const = default;
};

// What a GPU delivered for one case, and nothing derived from it. Calibration is the one figure that is not a record:
// the event times that the protocol turned into iteration counts, in the order they were asked for.
struct Trace {
  core::CaseIdentity identity;
  core::DeviceIdentity device;
  std::vector<std::string> implementations;  // in the order they were measured; "" = ours
  Protocol protocol = Protocol::opgate_1;
  Timing timing = Timing::cupti;
  Flush flush = Flush::read;
  std::optional<Launch> launch = Launch::direct;  // as asked for; absent: the protocol settled it in a trial
  double pacing = 0;
  bool probe_clock = false;
  std::int64_t recorded_unix_ms = 0;
  std::uint32_t external_kind = 0;
  std::vector<double> calibrations_ns;
  std::vector<TracePhase> phases;
};

// JSON lines: a header, then per phase a header, its names and kernels, and per buffer its records, one line each.
// Error(trace) naming file:line for anything malformed, truncated or of a newer version.
[[nodiscard]] Trace read_trace(const std::filesystem::path& path);
[[nodiscard]] Trace parse_trace(const std::string& text, const std::string& name_for_messages);
// When it was recorded, from its first line alone.
[[nodiscard]] std::int64_t recorded_unix_ms(const std::filesystem::path& path);
[[nodiscard]] std::string format_trace(const Trace& trace);
void write_trace(const Trace& trace, const std::filesystem::path& path);  // atomically

// Passes everything on to `inner` and keeps the phases it delivered in `trace`, which must outlive it. Of more than
// `most_records` it keeps none: half a trace explains nothing.
[[nodiscard]] std::unique_ptr<Collector> make_recording_collector(Collector& inner, Trace& trace,
                                                                  std::size_t most_records = SIZE_MAX);
// Delivers the phases of `trace` in order. Error(trace) naming the phase when the protocol asks for another one
// (kind, implementation, pass, attempt, iterations) than was recorded.
[[nodiscard]] std::unique_ptr<Collector> make_replaying_collector(Trace trace);
// The real one; built only with CUDA. One per process.
[[nodiscard]] Collector& cupti_collector();

}  // namespace opgate::collect
