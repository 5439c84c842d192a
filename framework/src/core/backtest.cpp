#include "core/backtest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/statistics.hpp"

namespace opgate::core {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// How much slower a reading would have had to be to pass its limit; kNever when the rule gave no figures.
double needed(const Judgement& judgement) {
  if (!judgement.change_pct || !judgement.threshold_pct || *judgement.change_pct <= -100) {
    return kNever;
  }
  return std::max(0.0, ((100 + *judgement.threshold_pct) / (100 + *judgement.change_pct) - 1) * 100);
}

void count(BacktestScore& score, const std::optional<CaseBaseline>& baseline, const PastRun& past,
           const CaseRun* confirmation) {
  RuleOptions rule = past.rule;
  rule.tolerance = score.tolerance;
  Judgement first = judge(baseline, past.run, std::nullopt, rule);
  if (first.in_doubt && confirmation != nullptr) {
    first = judge(baseline, past.run, *confirmation, rule);
  }
  ++score.judged;
  if (first.detectable_pct) {
    score.detectable_pct.push_back(*first.detectable_pct);
  }
  const bool suspect = first.verdict == Verdict::regressed;
  const bool settled = suspect || first.verdict == Verdict::pass || first.verdict == Verdict::improved;
  score.suspects += suspect ? 1 : 0;
  score.undecided += settled ? 0 : 1;
  // A fresh process that is judged in place of a reading in doubt has none to confirm it.
  if (confirmation == nullptr || (suspect && first.set_aside > 0)) {
    score.open += suspect ? 1 : 0;
    return;
  }
  const double alone = needed(judge(baseline, *confirmation, std::nullopt, rule));
  score.needed_pct.push_back(std::max(needed(first), alone));
  if (suspect && judge(baseline, past.run, *confirmation, rule).verdict == Verdict::regressed) {
    ++score.alarms;
  }
}

}  // namespace

std::vector<BacktestScore> backtest(std::span<const PastRun> level, const BacktestOptions& options) {
  std::vector<BacktestScore> scores(options.tolerances.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    scores[i].tolerance = options.tolerances[i];
  }
  for (std::size_t i = options.baseline_runs; i < level.size(); ++i) {
    std::vector<CaseRun> accepted;
    for (const PastRun& before : level.subspan(i - options.baseline_runs, options.baseline_runs)) {
      accepted.push_back(before.run);
    }
    const std::optional<CaseBaseline> baseline = summarise(accepted);
    const CaseRun* next = i + 1 < level.size() ? &level[i + 1].run : nullptr;
    const CaseRun* confirmation = level[i].confirmation ? &*level[i].confirmation : next;
    for (BacktestScore& score : scores) {
      count(score, baseline, level[i], confirmation);
    }
  }
  return scores;
}

void add_scores(std::vector<BacktestScore>& sum, const std::vector<BacktestScore>& more) {
  if (sum.empty()) {
    sum = more;
    return;
  }
  for (std::size_t i = 0; i < std::min(sum.size(), more.size()); ++i) {
    sum[i].judged += more[i].judged;
    sum[i].suspects += more[i].suspects;
    sum[i].alarms += more[i].alarms;
    sum[i].open += more[i].open;
    sum[i].undecided += more[i].undecided;
    sum[i].detectable_pct.insert(sum[i].detectable_pct.end(), more[i].detectable_pct.begin(),
                                 more[i].detectable_pct.end());
    sum[i].needed_pct.insert(sum[i].needed_pct.end(), more[i].needed_pct.begin(), more[i].needed_pct.end());
  }
}

std::optional<double> caught_pct(const BacktestScore& score, double share) {
  if (score.needed_pct.empty()) {
    return std::nullopt;
  }
  std::vector<double> needed = score.needed_pct;
  std::sort(needed.begin(), needed.end());
  const double rank = std::ceil(share * static_cast<double>(needed.size())) - 1;
  const double caught = needed[static_cast<std::size_t>(std::clamp(rank, 0.0, static_cast<double>(needed.size() - 1)))];
  return std::isinf(caught) ? std::nullopt : std::optional(caught);
}

std::optional<double> stated_pct(const BacktestScore& score) {
  return score.detectable_pct.empty() ? std::nullopt : std::optional(median(score.detectable_pct));
}

}  // namespace opgate::core
