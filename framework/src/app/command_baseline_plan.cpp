#include "app/command_baseline_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "app/command_result.hpp"
#include "app/command_text.hpp"
#include "core/creep.hpp"
#include "core/readings.hpp"
#include "opgate/error.hpp"
#include "run/wall_clock.hpp"

namespace opgate::app {

namespace {

// One device model and case, with what each run measured.
struct Gathered {
  std::string op;
  core::RuleOptions rule;
  std::vector<core::CaseRun> measured;
  std::vector<std::string> run_uuids;
  std::vector<std::int64_t> run_ids;
  std::string commit;  // of the newest run, with "-dirty" where its sources differed from it
  std::optional<store::BaselineEntry> before;
  std::string left_out;  // by --add: accepted runs that were taken in other ways, and how many
};
using Key = std::tuple<std::string, std::string, std::string>;  // device, op, case

// Runs of different work or taken in different ways make no baseline.
std::string disagreement(const std::string& name, const Gathered& gathered) {
  for (std::size_t i = 1; i < gathered.measured.size(); ++i) {
    const core::CaseRun& first = gathered.measured.front();
    const core::CaseRun& other = gathered.measured[i];
    const char* what = first.identity != other.identity       ? "measured different work under this name"
                       : first.conditions != other.conditions ? "were taken in different ways (driver, CUDA, protocol, "
                                                                "timing, flush, launch, pacing or processes)"
                                                              : nullptr;
    if (what != nullptr) {
      return fmt::format("{}: runs {} and {} {}", name, gathered.run_ids.front(), gathered.run_ids[i], what);
    }
  }
  return {};
}

std::map<Key, Gathered> gather(const std::vector<ChosenRun>& chosen) {
  std::map<Key, Gathered> cases;
  for (const auto& [run, results] : chosen) {
    for (const store::CaseResult& result : results) {
      auto measured = measured_run(result);
      if (!measured) continue;
      Gathered& gathered = cases[{measured->conditions.device_name, result.identity.op, result.identity.name}];
      gathered.op = result.identity.op;
      gathered.rule = result.rule;  // of the newest run
      gathered.measured.push_back(std::move(*measured));
      gathered.run_uuids.push_back(run.uuid);
      gathered.run_ids.push_back(run.id);
      gathered.commit = run.commit + (run.dirty && !run.commit.empty() ? "-dirty" : "");
    }
  }
  return cases;
}

// --add: the accepted runs of a case go before those that were chosen. They are read from the history again, because a
// baseline holds no samples.
void add_accepted(const store::History& history, const std::string& name, Gathered& gathered,
                  std::vector<std::string>& problems) {
  Gathered all;
  std::size_t other = 0;
  for (const std::string& uuid : gathered.before->accepted.run_uuids) {
    const auto& chosen = gathered.run_uuids;
    if (std::find(chosen.begin(), chosen.end(), uuid) != chosen.end()) continue;
    const auto run = history.run_by_uuid(uuid);
    const auto results =
        run ? history.results({.run_id = run->id, .case_name = name}) : std::vector<store::CaseResult>{};
    const auto measured = results.empty() ? std::nullopt : measured_run(results.front());
    if (!measured) {
      problems.push_back(fmt::format(
          "{}: its accepted run {} is not in this history: import the history that holds it, or leave out --add", name,
          uuid));
      return;
    }
    const core::CaseRun& newest = gathered.measured.back();
    if (measured->identity != newest.identity || measured->conditions != newest.conditions) {
      ++other;
      continue;
    }
    all.measured.push_back(*measured);
    all.run_uuids.push_back(uuid);
    all.run_ids.push_back(run->id);
  }
  const auto put_before = [](auto& into, const auto& older) { into.insert(into.begin(), older.begin(), older.end()); };
  put_before(gathered.measured, all.measured);
  put_before(gathered.run_uuids, all.run_uuids);
  put_before(gathered.run_ids, all.run_ids);
  if (other > 0) gathered.left_out = fmt::format("leaves out {} taken in other ways", plural(other, "accepted run"));
}

void check(const std::map<Key, Gathered>& cases, std::vector<std::string>& problems) {
  for (const auto& [key, gathered] : cases) {
    const std::string& name = std::get<2>(key);
    if (gathered.measured.size() < static_cast<std::size_t>(gathered.rule.min_runs)) {
      problems.push_back(fmt::format("{}: {} measured, a baseline needs at least {}", name,
                                     plural(gathered.measured.size(), "run"), gathered.rule.min_runs));
    }
    if (const std::string why = disagreement(name, gathered); !why.empty()) problems.push_back(why);
  }
}

void add_note(PlannedCase& planned, const std::string& note) {
  planned.notes += (planned.notes.empty() ? "" : "; ") + note;
}

void find_dropped_units(PlannedCase& planned) {
  if (!planned.before) return;
  for (const auto& [unit, unused] : planned.before->baseline.units) {
    if (!planned.baseline.units.contains(unit)) planned.drops.push_back(unit.empty() ? "unknown unit" : unit);
  }
  if (!planned.drops.empty()) add_note(planned, "drops the baseline of " + joined(planned.drops));
}

// Carries the first accepted centres over, and says where the case has crept away from them by more than its budget.
void settle_origins(PlannedCase& planned, const Gathered& gathered, const RunChoice& choice, const std::string& when,
                    std::vector<std::string>& problems) {
  const core::AcceptedAt now{when, gathered.commit};
  const core::CaseBaseline* before = planned.before ? &planned.before->baseline : nullptr;
  std::vector<std::string> unused;
  if (before != nullptr) {
    if (const std::string why = core::incomparable(*before, gathered.measured.back(), unused); !why.empty()) {
      add_note(planned, "creep counts from here on: " + why);
      before = nullptr;
    }
  }
  const core::AcceptedAt then = planned.before
                                    ? core::AcceptedAt{planned.before->accepted.when, planned.before->accepted.commit}
                                    : core::AcceptedAt{};
  const std::int32_t tick_ns = gathered.measured.back().tick_ns;
  const double tick = tick_ns > 0 ? tick_ns : core::kDefaultTickNs;
  core::set_origins(planned.baseline, before, then, now, gathered.rule, tick);
  const std::vector<core::Drift> drifts = core::drifts_of(planned.baseline, gathered.rule, tick);
  if (drifts.empty()) return;
  if (choice.only_told && !choice.allow_drift) {
    add_note(planned,
             fmt::format("needs --allow-drift: beyond {:.1f} % since its first baseline", drifts.front().limit * 100));
    return;
  }
  if (!choice.allow_drift) {
    for (const core::Drift& drift : drifts) {
      problems.push_back(
          fmt::format("{}: {:.1f} % slower than its first baseline{}, beyond {:.1f} % ({}) (--allow-drift)",
                      planned.name, drift.change * 100, drift.since.empty() ? "" : " of " + drift.since.substr(0, 10),
                      drift.limit * 100, drift.level));
    }
    return;
  }
  add_note(planned, fmt::format("creep counts from here on, after {:+.1f} %", drifts.front().change * 100));
  core::set_origins(planned.baseline, nullptr, then, now, gathered.rule, tick);
}

PlannedCase planned_case(const Key& key, const Gathered& gathered, const RunChoice& choice, const std::string& when,
                         std::vector<std::string>& problems) {
  const auto& [device_name, op, name] = key;
  PlannedCase planned;
  planned.name = name;
  planned.op = op;
  planned.device_name = device_name;
  planned.baseline = core::summarise(gathered.measured);
  planned.run_uuids = gathered.run_uuids;
  planned.commit = gathered.commit;
  planned.before = gathered.before;
  const auto& now = planned.run_uuids;
  planned.unchanged =
      planned.before && std::is_permutation(now.begin(), now.end(), planned.before->accepted.run_uuids.begin(),
                                            planned.before->accepted.run_uuids.end());
  if (planned.unchanged) {
    planned.baseline = planned.before->baseline;
    return planned;
  }
  if (!gathered.left_out.empty()) add_note(planned, gathered.left_out);
  find_dropped_units(planned);
  settle_origins(planned, gathered, choice, when, problems);
  return planned;
}

std::optional<double> centre_of(const core::CaseBaseline& baseline) {
  return baseline.model.time ? std::optional(baseline.model.time->centre_ns) : std::nullopt;
}

std::optional<double> change_between(std::optional<double> before, std::optional<double> after) {
  return before && after && *before > 0 ? std::optional(100 * (*after / *before - 1)) : std::nullopt;
}

void print_json(const Session& session, const PlannedCase& planned) {
  const auto before = planned.before ? centre_of(planned.before->baseline) : std::nullopt;
  const auto after = centre_of(planned.baseline);
  const auto& origin = planned.baseline.model.origin;
  session.print({{"case", planned.name},
                 {"op", planned.op},
                 {"device", planned.device_name},
                 {"change", planned.unchanged ? "unchanged"
                            : planned.before  ? "replaced"
                                              : "added"},
                 {"before_ns", or_null(before)},
                 {"baseline_ns", or_null(after)},
                 {"change_pct", or_null(change_between(before, after))},
                 {"origin_ns", origin ? Json(origin->time_ns) : Json(nullptr)},
                 {"origin_change_pct", or_null(origin ? change_between(origin->time_ns, after) : std::nullopt)},
                 {"runs", planned.run_uuids.size()},
                 {"run_uuids", planned.run_uuids},
                 {"dropped_units", planned.drops},
                 {"note", planned.notes}});
}

}  // namespace

Plan plan_baselines(const Session& session, const RunChoice& choice) {
  const store::History history = session.read_history();
  ChosenRuns chosen = choose_runs(session, history, choice);
  Plan plan;
  plan.skipped = chosen.skipped;
  plan.fewer = chosen.fewer;
  std::vector<std::string> problems = std::move(chosen.problems);
  const auto folder = session.baselines_path();
  std::map<Key, Gathered> cases = gather(chosen.runs);
  for (auto& [key, gathered] : cases) {
    const auto& [device_name, op, name] = key;
    gathered.before = store::find_baseline(folder, device_name, op, name);
    if (choice.add && gathered.before) add_accepted(history, name, gathered, problems);
  }
  check(cases, problems);
  if (cases.empty() && problems.empty()) {
    problems.push_back(fmt::format("the chosen runs measured no case{}", session.filter_words()));
  }
  plan.when = utc(run::unix_ms());
  for (const auto& [key, gathered] : cases) {
    plan.cases.push_back(planned_case(key, gathered, choice, plan.when, problems));
  }
  if (!problems.empty()) {
    for (const std::string& skipped : plan.skipped) problems.push_back("passed over " + skipped);
    throw Error(ErrorKind::baseline, "refused, nothing was written:\n    " + joined(problems, "\n    "), "baseline",
                "choose other runs, narrow them with --filter, or give the named option");
  }
  return plan;
}

void print_plan(const Session& session, const Plan& plan) {
  for (const std::string& skipped : plan.skipped) session.err() << "passed over " << skipped << '\n';
  if (!plan.fewer.empty()) session.err() << plan.fewer << '\n';
  std::vector<std::vector<std::string>> rows{
      {"case", "device", "before", "after", "change", "since first", "runs", "note"}};
  for (const PlannedCase& planned : plan.cases) {
    if (session.json) {
      print_json(session, planned);
      continue;
    }
    const auto before = planned.before ? centre_of(planned.before->baseline) : std::nullopt;
    const auto after = centre_of(planned.baseline);
    const auto& origin = planned.baseline.model.origin;
    rows.push_back({planned.name, planned.device_name.empty() ? "unknown" : planned.device_name, milliseconds(before),
                    milliseconds(after), planned.before ? change(change_between(before, after)) : "new",
                    change(origin ? change_between(origin->time_ns, after) : std::nullopt),
                    std::to_string(planned.run_uuids.size()), planned.unchanged ? "unchanged" : planned.notes});
  }
  if (!session.json) session.out() << table(rows);
}

}  // namespace opgate::app
