#include "app/command_baseline_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "app/command_result.hpp"
#include "app/command_table.hpp"
#include "app/command_text.hpp"
#include "opgate/error.hpp"

namespace opgate::app {

namespace {

struct Chosen {
  store::RunInfo run;
  std::vector<store::CaseResult> results;  // those that match the filter
};

// One device model and case, with what each run measured.
struct Gathered {
  std::string op;
  int min_runs = 0;
  std::vector<core::CaseRun> measured;
  std::vector<std::string> run_uuids;
  std::vector<std::int64_t> run_ids;
};
using Key = std::tuple<std::string, std::string, std::string>;  // device, op, case

std::vector<store::CaseResult> matching_results(const Session& session, const store::History& history, std::int64_t run,
                                                bool with_samples) {
  auto results = results_of(history, run, with_samples);
  std::erase_if(results, [&](const store::CaseResult& result) { return !session.matches(result.identity.name); });
  return results;
}

std::vector<store::RunInfo> chosen_runs(const Session& session, const store::History& history,
                                        const RunChoice& choice) {
  std::vector<store::RunInfo> runs;
  if (choice.last) {
    for (const store::RunInfo& run : history.runs()) {
      if (runs.size() == static_cast<std::size_t>(*choice.last)) break;
      if (!matching_results(session, history, run.id, false).empty()) runs.push_back(run);
    }
    std::reverse(runs.begin(), runs.end());
  } else {
    for (const std::int64_t id : std::set(choice.runs.begin(), choice.runs.end())) {
      runs.push_back(require_run(history, id));
    }
  }
  return runs;
}

// Why a result may not become part of a baseline; empty when it may. A skipped case is none: it was not measured.
std::string refusal(const store::RunInfo& run, const store::CaseResult& result, const RunChoice& choice) {
  const std::string& name = result.identity.name;
  if ((run.replayed || is_replayed(result)) && !choice.allow_replayed) {
    return fmt::format("run {}: {} was replayed, not measured (--allow-replayed)", run.id, name);
  }
  if (run.dirty && !choice.allow_dirty) {
    return fmt::format("run {}: {} was measured with uncommitted changes (--allow-dirty)", run.id, name);
  }
  const bool inconclusive = result.exit_code == core::ExitCode::inconclusive ||
                            (result.judgement && result.judgement->verdict == core::Verdict::inconclusive);
  if (inconclusive && !choice.allow_inconclusive) {
    return fmt::format("run {}: {} is inconclusive (--allow-inconclusive)", run.id, name);
  }
  return {};
}

// Failed, void or recorded twice: there is no number to accept.
std::string failure(const store::RunInfo& run, const store::CaseResult& result) {
  const std::string& name = result.identity.name;
  if (result.times_recorded > 1) return fmt::format("run {}: {} was recorded twice (--skip-failed)", run.id, name);
  const std::string outcome = outcome_of(result);
  if (result.exit_code == core::ExitCode::wrong_result || outcome == core::to_string(core::Status::wrong)) {
    return fmt::format("run {}: {} gave a wrong result, its figures are void (--skip-failed)", run.id, name);
  }
  if (!result.exit_code || *result.exit_code == core::ExitCode::untrusted ||
      *result.exit_code == core::ExitCode::cannot_run || deciding_attempt(result) == nullptr) {
    return fmt::format("run {}: {} has no number, it ended as {} (--skip-failed)", run.id, name, outcome);
  }
  return {};
}

// Runs of different work or taken in different ways make no baseline.
std::string disagreement(const std::string& name, const Gathered& gathered) {
  for (std::size_t i = 1; i < gathered.measured.size(); ++i) {
    const core::CaseRun& first = gathered.measured.front();
    const core::CaseRun& other = gathered.measured[i];
    const char* what = first.identity != other.identity       ? "measured different work under this name"
                       : first.conditions != other.conditions ? "were taken in different ways (driver, CUDA, protocol, "
                                                                "timing, flush, launch or pacing)"
                                                              : nullptr;
    if (what != nullptr) {
      return fmt::format("{}: runs {} and {} {}", name, gathered.run_ids.front(), gathered.run_ids[i], what);
    }
  }
  return {};
}

std::map<Key, Gathered> gather(const std::vector<Chosen>& chosen, const RunChoice& choice,
                               std::vector<std::string>& problems) {
  std::map<Key, Gathered> cases;
  for (const auto& [run, results] : chosen) {
    for (const store::CaseResult& result : results) {
      if (result.exit_code == core::ExitCode::skipped) continue;
      if (const std::string why = failure(run, result); !why.empty()) {
        if (!choice.skip_failed) problems.push_back(why);
        continue;
      }
      if (const std::string why = refusal(run, result, choice); !why.empty()) {
        problems.push_back(why);
        continue;
      }
      auto measured = measured_run(result);
      if (!measured) continue;
      Gathered& gathered = cases[{measured->conditions.device_name, result.identity.op, result.identity.name}];
      gathered.op = result.identity.op;
      gathered.min_runs = std::max(gathered.min_runs, result.rule.min_runs);
      gathered.measured.push_back(std::move(*measured));
      gathered.run_uuids.push_back(run.uuid);
      gathered.run_ids.push_back(run.id);
    }
  }
  return cases;
}

void check(const std::map<Key, Gathered>& cases, std::vector<std::string>& problems) {
  for (const auto& [key, gathered] : cases) {
    const std::string& name = std::get<2>(key);
    if (gathered.measured.size() < static_cast<std::size_t>(gathered.min_runs)) {
      problems.push_back(fmt::format("{}: {} measured, a baseline needs at least {}", name,
                                     plural(gathered.measured.size(), "run"), gathered.min_runs));
    }
    if (const std::string why = disagreement(name, gathered); !why.empty()) problems.push_back(why);
  }
}

std::optional<double> centre_of(const std::optional<store::BaselineEntry>& entry) {
  if (!entry || !entry->baseline.model.time) return std::nullopt;
  return entry->baseline.model.time->centre_ns;
}

}  // namespace

void add_run_choice(CLI::App& command, RunChoice& choice) {
  CLI::Option* runs = command.add_option("--runs", choice.runs, "Runs to accept, e.g. 12,13,15")->delimiter(',');
  runs->type_name("N");
  CLI::Option* last = command.add_option("--last", choice.last, "The newest N runs that hold a matching case");
  last->type_name("N")->check(count_check())->excludes(runs);
  command.add_flag("--allow-dirty", choice.allow_dirty, "Take runs of a source tree with uncommitted changes");
  command.add_flag("--allow-replayed", choice.allow_replayed, "Take figures replayed from recorded traces");
  command.add_flag("--allow-inconclusive", choice.allow_inconclusive, "Take results whose verdict is inconclusive");
  command.add_flag("--skip-failed", choice.skip_failed, "Leave out results without a number instead of refusing");
}

std::vector<PlannedCase> plan_baselines(const Session& session, const RunChoice& choice) {
  if (choice.runs.empty() && !choice.last) {
    throw Error(ErrorKind::usage, "no runs are chosen", "baseline", "give --runs N,N,... or --last N");
  }
  const store::History history = session.read_history();
  std::vector<Chosen> chosen;
  for (const store::RunInfo& run : chosen_runs(session, history, choice)) {
    chosen.push_back({run, matching_results(session, history, run.id, true)});
  }
  std::vector<std::string> problems;
  const std::map<Key, Gathered> cases = gather(chosen, choice, problems);
  check(cases, problems);
  if (cases.empty() && problems.empty()) {
    problems.push_back(fmt::format("the chosen runs measured no case{}", session.filter_words()));
  }
  if (!problems.empty()) {
    throw Error(ErrorKind::baseline, "refused, nothing was written:\n    " + joined(problems, "\n    "), "baseline",
                "choose other runs, narrow them with --filter, or give the named option");
  }
  std::vector<PlannedCase> plan;
  const auto folder = session.baselines_path();
  for (const auto& [key, gathered] : cases) {
    const auto& [device_name, op, name] = key;
    plan.push_back({name, op, device_name, core::summarise(gathered.measured), gathered.run_uuids,
                    store::find_baseline(folder, device_name, op, name)});
  }
  return plan;
}

void print_plan(const Session& session, const std::vector<PlannedCase>& plan) {
  std::vector<std::vector<std::string>> rows{{"case", "device", "before", "after", "change", "runs", "note"}};
  for (const PlannedCase& planned : plan) {
    const auto before = centre_of(planned.before);
    const auto after =
        planned.baseline.model.time ? std::optional(planned.baseline.model.time->centre_ns) : std::nullopt;
    const auto percent_change =
        before && after && *before > 0 ? std::optional(100 * (*after / *before - 1)) : std::nullopt;
    std::vector<std::string> dropped;
    if (planned.before) {
      for (const auto& [unit, unused] : planned.before->baseline.units) {
        if (!planned.baseline.units.contains(unit)) dropped.push_back(unit.empty() ? "unknown unit" : unit);
      }
    }
    if (session.json) {
      session.print({{"case", planned.name},
                     {"op", planned.op},
                     {"device", planned.device_name},
                     {"change", planned.before ? "replaced" : "added"},
                     {"before_ns", or_null(before)},
                     {"baseline_ns", or_null(after)},
                     {"change_pct", or_null(percent_change)},
                     {"runs", planned.run_uuids.size()},
                     {"run_uuids", planned.run_uuids},
                     {"dropped_units", dropped}});
      continue;
    }
    rows.push_back({planned.name, planned.device_name.empty() ? "unknown" : planned.device_name, milliseconds(before),
                    milliseconds(after), planned.before ? change(percent_change) : "new",
                    std::to_string(planned.run_uuids.size()),
                    dropped.empty() ? "" : "drops the baseline of " + joined(dropped)});
  }
  if (!session.json) session.out() << table(rows);
}

}  // namespace opgate::app
