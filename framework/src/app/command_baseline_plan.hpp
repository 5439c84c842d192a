#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/command_baseline_choice.hpp"
#include "app/command_session.hpp"
#include "core/creep.hpp"
#include "store/baseline_file.hpp"

namespace opgate::app {

struct PlannedCase {
  std::string name;
  std::string op;
  std::string device_name;
  core::CaseBaseline baseline;
  std::vector<std::string> run_uuids;  // oldest first
  std::string commit;                  // that the newest of them measured; "" where it is not known
  std::optional<store::BaselineEntry> before;
  bool unchanged = false;          // these very runs are the baseline already
  std::string notes;               // what a reviewer should know: units that drop out, origins that start anew
  std::vector<std::string> drops;  // units that drop out
};

struct Plan {
  std::string when;                  // ISO 8601, UTC
  std::vector<PlannedCase> cases;    // sorted by device, op and case
  std::vector<std::string> skipped;  // runs that --last passed over, and why
  std::string fewer;                 // said when --last finds fewer than it wants
};

// What accepting the chosen runs would write, without writing it. Error(baseline) that lists every reason to refuse;
// then nothing of it may be written.
[[nodiscard]] Plan plan_baselines(const Session& session, const RunChoice& choice);

// One row (or JSON object) per case: centre before and after, change, change since the first baseline, runs, notes.
void print_plan(const Session& session, const Plan& plan);

}  // namespace opgate::app
