#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/command_session.hpp"
#include "report/gate_report.hpp"
#include "run/build_difference.hpp"
#include "run/environment.hpp"
#include "run/gate_measure.hpp"
#include "run/gate_plan.hpp"
#include "run/gpu_choice.hpp"

namespace opgate::app {

struct GateWords {
  std::string base;  // build folders
  std::string candidate;
  std::string base_name;  // what a reader calls the merge base
  std::string label = "gate";
  std::string summary;  // files to write
  std::string comment;
  std::vector<std::string> notes;
  bool allow_removed = false;
  std::size_t max_pairs = 24;
  std::string expect_red;  // an op: the canary
};

// One gate from the plan to the report. What goes wrong with a case is in the report, whatever it is; Error is thrown
// only for what keeps the gate from having one.
class Gate {
 public:
  Gate(const Session& session, const GateWords& words);
  // The steps, in this order.
  void plan();
  void leave_out_identical();
  void measure();  // nothing to measure: nothing happens
  void settle();
  [[nodiscard]] report::GateReport finish();

 private:
  // A reason why the whole gate is red.
  void redden(core::ExitCode code, std::string note);
  void check_selection();
  [[nodiscard]] std::string why_unfit();
  void measure_each();
  [[nodiscard]] report::GateCase measure_one(run::GateRun& run, const run::PlannedCase& planned);
  [[nodiscard]] bool base_has(const std::string& name) const { return base_tree_.cases.contains(name); }
  void expect_red();

  const Session& session_;
  const GateWords& words_;
  run::Environment environment_;
  run::BuildTree base_;
  run::BuildTree candidate_;  // as the gate sees it: judged by the merge base
  run::GateTree base_tree_;
  run::GatePlan plan_;
  run::CaseTable judged_;  // the candidate's cases under the merge base's rules
  std::vector<run::PlannedCase> to_measure_;
  std::optional<run::GpuChoice> gpu_;
  report::GateReport report_;
  std::vector<core::ExitCode> codes_;  // of the gate as a whole
};

}  // namespace opgate::app
