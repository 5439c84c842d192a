#pragma once

#include <cstdint>
#include <string>

#include "collect/collector.hpp"
#include "measure/phase.hpp"
#include "measure/stage.hpp"
#include "opgate/bench.hpp"

namespace opgate::measure {

// How a candidate's calls are issued, settled once before they are measured and never changed after that.
struct LaunchMode {
  Launch launch = Launch::direct;
  std::string reason;        // why not queued although that was open; "" otherwise
  bool isolated = false;     // CallMode::isolated
  std::int64_t busy_ns = 0;  // median of the trial: what pacing is in proportion to
  PhaseOutcome trial;        // its issues, if any, are the candidate's
};

// Three calls, held unless `launch` is direct. Error(op) when `launch` is queued and the call cannot be.
[[nodiscard]] LaunchMode settle_launch(collect::Collector& collector, Stage& stage, const Candidate& candidate,
                                       const BenchOptions& options, Flush flush);

// How long the device is busy with nothing recorded after a kernel that hides nothing: the limit of core/hold.hpp.
struct TailLimits {
  std::int64_t held_ns = 0;
  std::int64_t direct_ns = 0;
};
[[nodiscard]] TailLimits calibrate_tail(collect::Collector& collector, Stage& stage);

}  // namespace opgate::measure
