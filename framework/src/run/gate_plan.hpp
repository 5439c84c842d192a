#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "report/gate_report.hpp"
#include "run/project.hpp"
#include "spec/spec.hpp"

namespace opgate::run {

using CaseTable = std::map<std::string, spec::Case>;

// What a tree says of its ops and cases, by name.
struct GateTree {
  std::map<std::string, spec::Spec> specs;
  CaseTable cases;
};
// Of all specs, as far as `wanted` leaves their cases.
[[nodiscard]] GateTree load_gate_tree(const Project& project,
                                      const std::function<bool(const std::string& case_name)>& wanted);

struct PlannedCase {
  std::string name;
  bool is_new = false;  // the merge base's gate does not have it
};

// What the gate has to look at, and where the candidate differs from the merge base in what it is judged by.
struct GatePlan {
  std::vector<PlannedCase> present;  // of the candidate, sorted
  std::vector<report::GateCase> removed;
  std::vector<report::GateChange> changes;
  std::size_t expected = 0;  // by the merge base
};

// A case is expected where the merge base has it with `label`; new where only the candidate does.
[[nodiscard]] GatePlan plan_gate(const GateTree& base, const GateTree& candidate, const std::string& label,
                                 bool allow_removed);

}  // namespace opgate::run
