#pragma once

#include <filesystem>
#include <vector>

#include "report/gate_report.hpp"

namespace opgate::run {

// How the baseline files and the waivers of the candidate differ from the merge base's: by file and case. A file of the
// candidate that cannot be read differs; one of the merge base's that cannot is Error(baseline), for it judges.
[[nodiscard]] std::vector<report::GateChange> baseline_changes(const std::filesystem::path& base,
                                                               const std::filesystem::path& candidate);

}  // namespace opgate::run
