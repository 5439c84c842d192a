#pragma once

#include <cstddef>
#include <string>

#include "collect/collector.hpp"
#include "core/attribution.hpp"
#include "core/records.hpp"
#include "measure/stage.hpp"
#include "opgate/bench.hpp"

namespace opgate::measure {

inline constexpr int kMaxAttempts = 3;
inline constexpr std::size_t kBufferGrowth = 4;

struct PhaseRequest {
  const Candidate& candidate;
  Flush flush = Flush::read;
  int pass = 0;
  int iterations = 0;
  std::size_t buffer_bytes = 0;  // of the first attempt
  bool copies_allowed = false;
};

struct PhaseOutcome {
  core::Reading reading;
  core::PhaseRecords records;  // of the attempt that counts
  int retries = 0;
};

// Reset and flush, labelled as preparation when a collector is given, then nothing else: the state before every call.
void prepare_call(Stage& stage, const Candidate& candidate, Flush flush);

// Measures `iterations` calls, each labelled and drained, and reads the records once after the loop. A phase that lost
// records is measured again with larger buffers, at most kMaxAttempts times in all.
[[nodiscard]] PhaseOutcome run_phase(collect::Collector& collector, Stage& stage, const PhaseRequest& request);

}  // namespace opgate::measure
