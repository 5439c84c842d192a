#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/baseline.hpp"
#include "core/verdict.hpp"

namespace opgate::core {

// A run of the past, to be judged as if it had just been measured.
struct PastRun {
  CaseRun run;
  std::optional<CaseRun> confirmation;  // of a fresh worker at the time
  RuleOptions rule;                     // the rule's other options; the tolerance is what is tried
};

struct BacktestOptions {
  std::vector<double> tolerances{0.005, 0.01, 0.02, 0.03, 0.05, 0.1};
  std::size_t baseline_runs = 10;
  double share_caught = 0.95;  // what counts as caught reliably
};

// How the rule would have done at one tolerance. Every run is judged against the runs right before it, which lie on the
// same level, so that an alarm is a false one. A suspect is confirmed by its own fresh worker, else by the next run.
struct BacktestScore {
  double tolerance = 0;
  int judged = 0;
  int suspects = 0;                    // a first reading beyond the limit
  int alarms = 0;                      // suspects that were confirmed: false alarms
  int open = 0;                        // suspects that nothing is left to confirm, as at the end of a level
  int undecided = 0;                   // neither pass nor improved nor a suspect
  std::vector<double> detectable_pct;  // what each verdict stated as the smallest slowdown it can detect
  std::vector<double> needed_pct;      // by how much each run would have had to be slower to be called regressed
};

// The scores of one level, one for each tolerance. `level`: comparable runs without a change, oldest first.
[[nodiscard]] std::vector<BacktestScore> backtest(std::span<const PastRun> level, const BacktestOptions& options);
// Adds up the scores of several levels or cases.
void add_scores(std::vector<BacktestScore>& sum, const std::vector<BacktestScore>& more);

// The smallest slowdown that would have been caught in that share of the runs; absent when none would, or none was
// judged.
[[nodiscard]] std::optional<double> caught_pct(const BacktestScore& score, double share);
// The median of what the verdicts stated.
[[nodiscard]] std::optional<double> stated_pct(const BacktestScore& score);

}  // namespace opgate::core
