#pragma once

#include <cstdint>

#include "core/attribution.hpp"
#include "core/records.hpp"

namespace opgate::core {

// How long a call that waits for the device keeps the host after the device is idle: cudaFree gives memory back then.
// From the drains of the phase to the launches of the closing probes; the median call's, so that a few that were
// interrupted count for nothing. A call that was not drained counts as 0, and so does one whose drain went on for
// longer than `tail_limit_ns` after the work that is recorded: what the device does unrecorded must not pass as the
// host's.
[[nodiscard]] std::int64_t host_time_ns(const PhaseRecords& records, const Reading& reading, const PhaseLabels& labels,
                                        std::int64_t tail_limit_ns);

}  // namespace opgate::core
