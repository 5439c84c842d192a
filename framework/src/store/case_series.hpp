#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/baseline.hpp"
#include "core/readings.hpp"
#include "core/result.hpp"
#include "core/verdict.hpp"

namespace opgate::store {

// The reading that a result rests on (our implementation in its first measured attempt), by the figures kept beside its
// samples, so that a long history is read without them.
struct StoredReading {
  core::Conditions conditions;
  std::string unit;             // GPU UUID
  std::int32_t tick_ns = 0;     // 0: unknown
  std::int32_t max_sm_mhz = 0;  // 0: unknown
  double median_ns = 0;
  std::optional<double> p10_ns, p90_ns;
  std::optional<double> sm_mhz;
  std::optional<double> cycles;            // absent without a clock
  std::vector<core::GroupReading> groups;  // of a mixed call, whose pooled median is never compared; else empty
  bool imported = false;                   // another tool took it
};

// One result of a case and the run it belongs to.
struct SeriesRow {
  std::int64_t run_id = 0;
  std::int64_t started_unix_ms = 0;
  std::string commit;
  bool dirty = false;
  bool replayed = false;
  core::CaseIdentity identity;
  std::optional<core::ExitCode> exit_code;
  std::optional<core::Verdict> verdict;
  std::optional<core::Metric> metric;
  std::optional<double> baseline_ns;
  std::optional<double> change_pct;
  std::optional<double> threshold_pct;
  bool waived = false;
  std::optional<core::Status> last_status;  // of the newest attempt; absent when there is none
  std::optional<StoredReading> reading;     // absent when nothing was measured
};

}  // namespace opgate::store
