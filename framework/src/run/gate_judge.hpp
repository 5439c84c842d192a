#pragma once

#include <optional>
#include <string>

#include "report/gate_report.hpp"
#include "run/paired_case.hpp"
#include "store/run_info.hpp"

namespace opgate::run {

// What a case's own program stored of it, held against the merge base's baseline.
[[nodiscard]] report::GateCase judged_by_baseline(const std::string& name, const store::CaseResult& result);
// A suspect, or one that nothing stored fits: to be compared with the merge base's build, where that has the case.
[[nodiscard]] bool is_open(const report::GateCase& one);
// An open case after the comparison.
[[nodiscard]] report::GateCase settled_by_pairs(report::GateCase open, const PairedCase& compared);
// One that only the candidate has cannot be red for want of a baseline.
[[nodiscard]] report::GateCase excused_as_new(report::GateCase one);

}  // namespace opgate::run
