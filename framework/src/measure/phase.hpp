#pragma once

#include <cstddef>
#include <cstdint>

#include "collect/collector.hpp"
#include "core/attribution.hpp"
#include "core/records.hpp"
#include "measure/stage.hpp"
#include "opgate/bench.hpp"

namespace opgate::measure {

inline constexpr int kMaxAttempts = 3;
inline constexpr std::size_t kBufferGrowth = 4;

// How one call of a phase is issued.
struct CallMode {
  Flush flush = Flush::read;
  bool held = false;      // the device waits until the host has issued the whole call
  bool probed = false;    // clock probes before and after the call
  bool isolated = false;  // the device is idle when the call begins: for streams that no hold and no flush holds back
  std::int64_t idle_ns = 0;  // after each call
};

struct PhaseRequest {
  const Candidate& candidate;
  collect::PhaseKind kind = collect::PhaseKind::measure;
  CallMode mode;
  int pass = 0;
  int iterations = 0;
  std::size_t buffer_bytes = 0;  // of the first attempt
  bool copies_allowed = false;
  bool every_api = false;
  bool drained = false;
  std::int64_t tail_limit_ns = 0;  // core/hold.hpp; only a measuring phase is judged by it
};

struct PhaseOutcome {
  core::Reading reading;
  core::PhaseRecords records;  // of the attempt that counts
  std::uint32_t nonce = 0;
  int retries = 0;
};

// Reset and flush: the state before every call.
void prepare_call(Stage& stage, const Candidate& candidate, Flush flush);

// Makes `iterations` calls, each labelled and drained, and reads the records once after the loop. A phase that lost
// records is measured again with larger buffers, at most kMaxAttempts times in all.
[[nodiscard]] PhaseOutcome run_phase(collect::Collector& collector, Stage& stage, const PhaseRequest& request);

}  // namespace opgate::measure
