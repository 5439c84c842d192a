#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/timeline.hpp"
#include "report/timeline_records.hpp"

namespace opgate::report {

// Processes of a timeline: opgate's own steps, the host, and from kFirstDevice on the devices.
inline constexpr int kSteps = 1;
inline constexpr int kHost = 2;
inline constexpr int kFirstDevice = 10;
[[nodiscard]] inline int process_of(std::uint32_t device) {
  return kFirstDevice + static_cast<int>(device);
}

// What an iteration went through, which no record says by itself: iteration, flush, hold, probes; per device the call's
// span and its gaps. Rows without events are left out; rows may still overlap themselves.
[[nodiscard]] std::vector<TimelineTrack> step_tracks(const collect::TracePhase& phase,
                                                     const std::vector<IterationWork>& shown,
                                                     const std::vector<std::string>& remarks);
// The SM clock that the probes around each shown iteration read.
[[nodiscard]] std::vector<ClockPoint> clock_points(const collect::TracePhase& phase,
                                                   const std::vector<IterationWork>& shown);

}  // namespace opgate::report
