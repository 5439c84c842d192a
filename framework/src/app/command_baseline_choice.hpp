#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/command_options.hpp"
#include "app/command_session.hpp"

namespace opgate::app {

// Which runs become a baseline, and what may be in them.
struct RunChoice {
  std::vector<std::int64_t> runs;
  std::optional<int> last;
  bool allow_dirty = false;
  bool allow_replayed = false;
  bool allow_inconclusive = false;
  bool allow_options = false;
  bool allow_drift = false;
  bool skip_failed = false;
  bool add = false;        // the accepted runs stay beside the chosen ones
  bool only_told = false;  // a drift is noted, not refused: nothing will be written
};
void add_run_choice(Command command, RunChoice& choice);

struct ChosenRun {
  store::RunInfo run;
  std::vector<store::CaseResult> results;  // those that match the filter and may be accepted, with samples
};

struct ChosenRuns {
  std::vector<ChosenRun> runs;        // oldest first
  std::vector<std::string> skipped;   // by --last: the run, and why it does not qualify
  std::string fewer;                  // said when --last finds fewer than it wants
  std::vector<std::string> problems;  // of runs that were named: then nothing may be accepted
};

// --runs takes the runs as they are named and lists what keeps them from being accepted; --last takes the newest
// complete ones that qualify, and says which newer ones do not.
[[nodiscard]] ChosenRuns choose_runs(const Session& session, const store::History& history, const RunChoice& choice);

}  // namespace opgate::app
