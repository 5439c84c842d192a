#pragma once

#include <vector>

#include "report/timeline.hpp"

namespace opgate::report {

// The row's events in as many rows as they need for none to overlap another wrongly: the first keeps the name, the
// others are numbered. A viewer would draw overlapping events of one row as nested, or not at all.
[[nodiscard]] std::vector<TimelineTrack> into_lanes(TimelineTrack track);

}  // namespace opgate::report
