#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/command_session.hpp"
#include "store/baseline_file.hpp"

namespace opgate::app {

// Which runs become a baseline, and what may be in them.
struct RunChoice {
  std::vector<std::int64_t> runs;
  std::optional<int> last;
  bool allow_dirty = false;
  bool allow_replayed = false;
  bool allow_inconclusive = false;
  bool skip_failed = false;
};
void add_run_choice(CLI::App& command, RunChoice& choice);

struct PlannedCase {
  std::string name;
  std::string op;
  std::string device_name;
  core::CaseBaseline baseline;
  std::vector<std::string> run_uuids;  // oldest first
  std::optional<store::BaselineEntry> before;
};

// What accepting the chosen runs would write, without writing it. Sorted by device, op and case. Error(baseline) that
// lists every reason to refuse; then nothing of it may be written.
[[nodiscard]] std::vector<PlannedCase> plan_baselines(const Session& session, const RunChoice& choice);

// One row (or JSON object) per case: centre before and after, change, runs, units that drop out.
void print_plan(const Session& session, const std::vector<PlannedCase>& plan);

}  // namespace opgate::app
