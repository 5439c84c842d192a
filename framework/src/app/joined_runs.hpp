#pragma once

#include <string>
#include <vector>

#include "app/command_options.hpp"
#include "app/command_session.hpp"
#include "store/history.hpp"

namespace opgate::app {

// Which runs to look at as one, as typed.
struct RunWords {
  std::string runs = "last";  // last, 12, or 12,13,14
  std::string selected;       // a file that ctest --show-only=json-v1 wrote; empty: what the runs themselves selected
};
void add_run_options(Command command, RunWords& words, const std::string& run_help);

// A run, or several that are parts of one, such as the shards of a night.
struct JoinedRuns {
  std::vector<store::RunInfo> runs;  // in the order of their numbers
  // Under the number of the newest of them. Its selection is what all of them together had to record, and a case that
  // two of them recorded was recorded twice.
  store::RunInfo whole;
};

// Error(usage) for words that name no run, or one twice; Error(history) for runs that cannot be parts of one: of
// different commits, or replayed and measured.
[[nodiscard]] JoinedRuns join_runs(const store::History& history, const RunWords& words);

// "run 12", "runs 12, 13 and 14"
[[nodiscard]] std::string name_of(const JoinedRuns& joined);

// Of all runs, with their samples; with `filtered` only of the cases that --filter leaves. A case that several runs
// recorded is there once, as the newest has it, and counts all its recordings.
[[nodiscard]] std::vector<store::CaseResult> results_of(const Session& session, const store::History& history,
                                                        const JoinedRuns& joined, bool filtered);

}  // namespace opgate::app
