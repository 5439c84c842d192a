#include "app/command_baseline_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/command_result.hpp"
#include "app/command_table.hpp"
#include "app/command_text.hpp"
#include "opgate/error.hpp"

namespace opgate::app {

namespace {

bool is_inconclusive(const store::CaseResult& result) {
  return result.exit_code == core::ExitCode::inconclusive ||
         (result.judgement && result.judgement->verdict == core::Verdict::inconclusive);
}

// Why a result may not become part of a baseline; empty when it may.
std::string refusal(const store::RunInfo& run, const store::CaseResult& result, const RunChoice& choice) {
  const std::string& name = result.identity.name;
  if ((run.replayed || is_replayed(result)) && !choice.allow_replayed) {
    return fmt::format("{} was replayed, not measured (--allow-replayed)", name);
  }
  if (run.dirty && !choice.allow_dirty) {
    return fmt::format("{} was measured with uncommitted changes (--allow-dirty)", name);
  }
  if (!run.options.empty() && !choice.allow_options) {
    return fmt::format("{} was measured by hand with {} (--allow-options)", name, run.options);
  }
  if (is_inconclusive(result) && !choice.allow_inconclusive) {
    return fmt::format("{} is inconclusive (--allow-inconclusive)", name);
  }
  return {};
}

// Failed, void or recorded twice: there is no number to accept.
std::string failure(const store::CaseResult& result) {
  const std::string& name = result.identity.name;
  if (result.times_recorded > 1) return fmt::format("{} was recorded twice (--skip-failed)", name);
  const std::string outcome = outcome_of(result);
  if (result.exit_code == core::ExitCode::wrong_result || outcome == core::to_string(core::Status::wrong)) {
    return fmt::format("{} gave a wrong result, its figures are void (--skip-failed)", name);
  }
  if (!result.exit_code || *result.exit_code == core::ExitCode::untrusted ||
      *result.exit_code == core::ExitCode::cannot_run || deciding_attempt(result) == nullptr) {
    return fmt::format("{} has no number, it ended as {} (--skip-failed)", name, outcome);
  }
  return {};
}

// Keeps what may be accepted and says what may not.
std::vector<std::string> sift(const store::RunInfo& run, std::vector<store::CaseResult>& results,
                              const RunChoice& choice) {
  std::vector<std::string> problems;
  std::erase_if(results, [&](const store::CaseResult& result) {
    if (result.exit_code == core::ExitCode::skipped) return true;  // it was not measured
    const std::string failed = failure(result);
    if (!failed.empty() && choice.skip_failed) return true;
    std::string why = failed.empty() ? refusal(run, result, choice) : failed;
    if (why.empty()) return false;
    problems.push_back(std::move(why));
    return true;
  });
  return problems;
}

// What a run lacks as a whole; a run that was named by hand may be one of a few cases.
std::vector<std::string> incompleteness(const Session& session, const store::RunInfo& run,
                                        const std::vector<store::CaseResult>& results) {
  std::vector<std::string> lacks;
  if (!run.closed_unix_ms && run.origin != "import") lacks.emplace_back("it was never closed");
  for (const std::string& name : run.selected) {
    const bool recorded = std::any_of(results.begin(), results.end(),
                                      [&](const store::CaseResult& result) { return result.identity.name == name; });
    if (session.matches(name) && !recorded) lacks.push_back(name + " was selected and recorded nothing");
  }
  return lacks;
}

ChosenRuns named_runs(const Session& session, const store::History& history, const RunChoice& choice) {
  ChosenRuns chosen;
  for (const std::int64_t id : std::set(choice.runs.begin(), choice.runs.end())) {
    const store::RunInfo run = require_run(history, id);
    auto results = filtered_results(session, history, id);
    for (const std::string& why : sift(run, results, choice)) {
      chosen.problems.push_back(fmt::format("run {}: {}", id, why));
    }
    chosen.runs.push_back({run, std::move(results)});
  }
  return chosen;
}

ChosenRuns last_runs(const Session& session, const store::History& history, const RunChoice& choice) {
  ChosenRuns chosen;
  for (const store::RunInfo& run : history.runs()) {
    if (chosen.runs.size() == static_cast<std::size_t>(*choice.last)) break;
    auto results = filtered_results(session, history, run.id);
    if (results.empty()) continue;
    std::vector<std::string> problems = incompleteness(session, run, results);
    for (std::string& why : sift(run, results, choice)) problems.push_back(std::move(why));
    if (problems.empty() && results.empty()) continue;  // all of it was skipped, or left out by --skip-failed
    if (problems.empty()) {
      chosen.runs.push_back({run, std::move(results)});
      continue;
    }
    const std::string more = problems.size() > 1 ? fmt::format(", and {} more", problems.size() - 1) : "";
    chosen.skipped.push_back(fmt::format("run {}: {}{}", run.id, problems.front(), more));
  }
  std::reverse(chosen.runs.begin(), chosen.runs.end());
  if (chosen.runs.size() < static_cast<std::size_t>(*choice.last)) {
    chosen.fewer = fmt::format("{} of the {} asked for qualify", plural(chosen.runs.size(), "run"), *choice.last);
  }
  return chosen;
}

}  // namespace

void add_run_choice(Command command, RunChoice& choice) {
  Option runs = command.option("--runs", choice.runs, "Runs to accept, e.g. 12,13,15").delimiter(',');
  runs.type_name("N");
  Option last = command.option(
      "--last", choice.last, "The newest N complete runs that hold a matching case and need none of the options below");
  last.type_name("N").check(count_check()).excludes(runs);
  command.flag("--add", choice.add,
               "Add to the runs that are accepted already, of other units too, instead of replacing them");
  command.flag("--allow-dirty", choice.allow_dirty, "Take runs of a source tree with uncommitted changes");
  command.flag("--allow-replayed", choice.allow_replayed, "Take figures replayed from recorded traces");
  command.flag("--allow-inconclusive", choice.allow_inconclusive, "Take results whose verdict is inconclusive");
  command.flag("--allow-options", choice.allow_options,
               "Take cases run by hand with options that change the reading, such as --iterations");
  command.flag("--allow-drift", choice.allow_drift,
               "Take cases slower than their first baseline by more than the budget, and count from here on");
  command.flag("--skip-failed", choice.skip_failed, "Leave out results without a number instead of refusing");
}

ChosenRuns choose_runs(const Session& session, const store::History& history, const RunChoice& choice) {
  if (choice.runs.empty() && !choice.last) {
    throw Error(ErrorKind::usage, "no runs are chosen", "baseline", "give --runs N,N,... or --last N");
  }
  return choice.last ? last_runs(session, history, choice) : named_runs(session, history, choice);
}

}  // namespace opgate::app
