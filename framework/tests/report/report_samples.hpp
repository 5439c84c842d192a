#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/report.hpp"

namespace opgate::report::test {

// A run of which every case ended in another way, one recorded nothing, and one was recorded twice.
store::RunInfo everything_run();
std::vector<store::CaseResult> everything_results();
// Earlier results of `name`: 24 nights, 5 % slower from the thirteenth on; the newest of them is `last_run`.
std::vector<store::SeriesRow> nights_of(const std::string& name, std::int64_t last_run);
Report everything_report();
// Names and texts made to break out of whatever shows them.
extern const std::string kHostileName;
Report hostile_report();

}  // namespace opgate::report::test
