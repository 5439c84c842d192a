#include "core/verdict.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "core/findings.hpp"
#include "core/noise_note.hpp"

namespace opgate::core {
namespace {

// The accepted runs to hold a run against.
struct Accepted {
  const UnitBaseline* runs = nullptr;
  bool other_unit = false;
};

int count_runs(const UnitBaseline& unit) {
  const std::optional<Level> time = level_of(unit.time);
  return time ? time->runs : 0;
}

template <class Value>
const Value* find_in(const std::map<std::string, Value>& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? nullptr : &found->second;
}

Accepted choose(const CaseBaseline& baseline, const std::string& unit, int min_runs) {
  const UnitBaseline* const own = find_in(baseline.units, unit);
  if (own != nullptr && count_runs(*own) >= min_runs) {
    return {own, false};
  }
  return count_runs(baseline.model) >= min_runs ? Accepted{&baseline.model, true} : Accepted{};
}

Judgement with(Judgement judgement, Verdict verdict, std::string reason) {
  judgement.verdict = verdict;
  judgement.reason = std::move(reason);
  return judgement;
}

double cycles_to_ns(const CaseRun& run, const RunReading& now) {
  if (run.max_sm_mhz > 0) {
    return 1000.0 / run.max_sm_mhz;
  }
  return now.pooled.cycles ? now.pooled.time_ns / *now.pooled.cycles : 0;
}

void take_figures(Judgement& judgement, const Finding& finding, double cycles_to_ns) {
  const Comparison& decided = finding.decided;
  const double scale = decided.metric == Metric::cycles ? cycles_to_ns : 1;
  judgement.metric = decided.metric;
  judgement.baseline_ns = decided.baseline.centre * scale;
  judgement.measured_ns = decided.measured * scale;
  judgement.change_pct = decided.change * 100;
  judgement.threshold_pct = decided.limit.relative * 100;
  judgement.detectable_pct = decided.detectable * 100;
  if (finding.creep) {
    judgement.origin_change_pct = finding.creep->change * 100;
  }
  if (finding.subtick_change) {
    judgement.subtick_change_pct = *finding.subtick_change * 100;
  }
}

void note_kernels(const UnitBaseline& accepted, const RunReading& now, std::vector<std::string>& notes) {
  std::string was;
  for (const auto& [name, share] : accepted.group_shares) {
    was += (was.empty() ? "" : " | ") + name;
  }
  for (const GroupReading& group : now.groups) {
    if (!accepted.group_shares.empty() && !accepted.group_shares.contains(group.name)) {
      notes.push_back(
          fmt::format("kernels changed: '{}' was not in the accepted runs, which launched '{}'", group.name, was));
    }
  }
}

// A run that exceeds its limits, and what it was held against.
struct Suspect {
  const CaseBaseline& baseline;
  const UnitBaseline& accepted;
  const std::vector<Finding>& findings;
  const Terms& terms;
  double cycles_to_ns = 0;
};

const Finding* of_subject(const std::vector<Finding>& findings, const std::string& subject) {
  for (const Finding& finding : findings) {
    if (finding.subject == subject) {
      return &finding;
    }
  }
  return nullptr;
}

// What the confirmation says of the regressions found: the finding that confirms one, else one in doubt, else one
// within its limit, else nothing.
const Finding* answer(const std::vector<Finding>& suspects, const std::vector<Finding>& fresh) {
  const Finding* best = nullptr;
  for (const Finding& suspect : suspects) {
    const Finding* const same = of_subject(fresh, suspect.subject);
    if (suspect.verdict != Verdict::regressed || same == nullptr) {
      continue;
    }
    if (same->verdict == Verdict::regressed) {
      return same;
    }
    if (best == nullptr || same->verdict == Verdict::inconclusive) {
      best = same;
    }
  }
  return best;
}

// The library implementations in the process that confirms: they ran the same code as ever.
Judgement hold_against_libraries(Judgement judgement, const Suspect& suspect, const CaseRun& confirmation) {
  for (const LibraryRun& library : confirmation.libraries) {
    CaseRun run;
    run.samples = library.samples;
    run.group_names = library.group_names;
    const UnitBaseline* const accepted = find_in(suspect.accepted.libraries, library.name);
    const std::optional<RunReading> now = read_run(run);
    std::vector<std::string> unused;
    const std::vector<Finding> findings =
        accepted != nullptr && now ? examine(*accepted, *now, suspect.terms, {}, unused) : std::vector<Finding>{};
    if (findings.empty()) {
      judgement.notes.push_back(
          fmt::format("{} is no control: the baseline has too few accepted runs of it", library.name));
      continue;
    }
    const Finding& finding = decisive(findings);
    Judgement control;
    control.verdict = finding.verdict;
    control.reason = fmt::format("{} {}", library.name, percent(finding.decided.change));
    if (control.verdict != Verdict::regressed) {
      judgement.notes.push_back(fmt::format("{} in the same process is the control and did not slow down: {}",
                                            library.name, percent(finding.decided.change)));
    }
    judgement = hold_against_control(std::move(judgement), control);
  }
  return judgement;
}

// The reading of a fresh process must show the same by itself.
Judgement confirm(Judgement judgement, const Suspect& suspect, const CaseRun& confirmation, bool is_first) {
  std::vector<std::string> unused;
  if (const std::string why = incomparable(suspect.baseline, confirmation, unused); !why.empty()) {
    return with(judgement, Verdict::inconclusive,
                fmt::format("{}; the confirmation cannot be compared: {}", judgement.reason, why));
  }
  const std::optional<RunReading> now = read_run(confirmation);
  const std::vector<Finding> fresh =
      now ? examine(suspect.accepted, *now, suspect.terms, suspect.findings, unused) : std::vector<Finding>{};
  const Finding* found = answer(suspect.findings, fresh);
  if (found == nullptr) {
    return with(judgement, Verdict::inconclusive,
                judgement.reason + "; the confirmation has no reading to hold against the same limit");
  }
  if (found->verdict == Verdict::regressed) {
    const double change = found->crept() ? found->creep->change : found->decided.change;
    judgement.reason +=
        fmt::format("{} with {}", is_first ? "; a fresh process confirms it" : ", another one", percent(change));
    return hold_against_libraries(std::move(judgement), suspect, confirmation);
  }
  const std::string words = explain(*found, suspect.cycles_to_ns);
  if (found->verdict == Verdict::inconclusive) {
    return with(judgement, Verdict::inconclusive,
                fmt::format("{}; the confirmation is in doubt: {}", judgement.reason, words));
  }
  judgement.notes.push_back("the first reading was beyond the limit and was not confirmed: " + judgement.reason);
  const char* const who = is_first ? "the first reading was slower, but a fresh process alone is not"
                                   : "two readings were slower, but a third of a fresh process is not";
  return with(judgement, Verdict::pass, fmt::format("{}: {}", who, words));
}

Judgement judge_accepted(Judgement judgement, const CaseBaseline& baseline, const Accepted& accepted,
                         const CaseRun& run, std::span<const CaseRun> confirmations, const RuleOptions& options) {
  const RunReading now = *read_run(run);
  const Terms terms{options, accepted.other_unit, static_cast<double>(run.tick_ns > 0 ? run.tick_ns : kDefaultTickNs)};
  if (accepted.other_unit) {
    judgement.notes.push_back(
        fmt::format("another unit of the same model: held against all its accepted runs, with {:.1f} % more tolerance",
                    options.other_unit_extra * 100));
  }
  note_kernels(*accepted.runs, now, judgement.notes);
  const std::vector<Finding> findings = examine(*accepted.runs, now, terms, {}, judgement.notes);
  if (findings.empty()) {
    return with(judgement, Verdict::inconclusive,
                fmt::format("mixed call: no group of kernels has {} samples and a baseline of {} runs",
                            options.min_group_samples, options.min_runs));
  }
  const Finding& finding = decisive(findings);
  const double scale = cycles_to_ns(run, now);
  take_figures(judgement, finding, scale);
  if (std::abs(finding.clock_change) > options.clock_contradiction) {
    judgement.notes.push_back(
        fmt::format("the SM clock differs by {} from the baseline's", percent(finding.clock_change)));
  }
  if (std::string note = noise_note(finding, run, terms); !note.empty()) {
    judgement.notes.push_back(std::move(note));
  }
  judgement = with(judgement, finding.verdict, explain(finding, scale));
  judgement.in_doubt = finding.verdict == Verdict::inconclusive;
  const Suspect suspect{baseline, *accepted.runs, findings, terms, scale};
  for (std::size_t i = 0; i < confirmations.size() && judgement.verdict == Verdict::regressed; ++i) {
    judgement = confirm(std::move(judgement), suspect, confirmations[i], i == 0);
  }
  return judgement;
}

Judgement judge_one(const std::optional<CaseBaseline>& baseline, const CaseRun& run,
                    std::span<const CaseRun> confirmations, const RuleOptions& options) {
  Judgement judgement;
  const std::optional<RunReading> now = read_run(run);
  if (!now) {
    return with(judgement, Verdict::inconclusive, "the run has no reading above zero");
  }
  if (now->ignored > 0) {
    judgement.notes.push_back(fmt::format("{} readings of zero or less are ignored", now->ignored));
  }
  judgement.measured_ns = now->pooled.time_ns;
  if (!baseline) {
    return with(judgement, Verdict::no_baseline,
                fmt::format("the case has no accepted baseline; at least {} fresh runs are wanted", options.min_runs));
  }
  if (const std::string why = incomparable(*baseline, run, judgement.notes); !why.empty()) {
    return with(judgement, Verdict::not_comparable, why);
  }
  const Accepted accepted = choose(*baseline, run.unit, options.min_runs);
  if (accepted.runs == nullptr) {
    return with(judgement, Verdict::no_baseline,
                fmt::format("the baseline has {} accepted runs, at least {} fresh runs are wanted",
                            count_runs(baseline->model), options.min_runs));
  }
  return judge_accepted(std::move(judgement), *baseline, accepted, run, confirmations, options);
}

// What a fresh process says in place of a reading that its clock put in doubt. Where both are, neither tells.
Judgement settle_doubt(Judgement doubt, Judgement fresh) {
  const bool tells = fresh.verdict == Verdict::inconclusive && !fresh.in_doubt && fresh.change_pct;
  if (fresh.verdict == Verdict::regressed || tells) {
    fresh.notes.push_back("a fresh process is judged, because the first reading was in doubt: " + doubt.reason);
    ++fresh.set_aside;
    return fresh;
  }
  if (fresh.verdict == Verdict::pass || fresh.verdict == Verdict::improved) {
    doubt.notes.push_back("the first reading was in doubt: " + doubt.reason);
    doubt.in_doubt = false;
    doubt.set_aside = fresh.set_aside + 1;
    return with(doubt, Verdict::pass,
                "the clock put the first reading in doubt, and a fresh process alone is not slower: " + fresh.reason);
  }
  const char* const words = fresh.in_doubt ? "; a fresh process is in doubt as well: " : "; no fresh process tells: ";
  return with(doubt, Verdict::inconclusive, doubt.reason + words + fresh.reason);
}

}  // namespace

Judgement judge(const std::optional<CaseBaseline>& baseline, const CaseRun& run, std::span<const CaseRun> confirmations,
                const RuleOptions& options) {
  Judgement judgement = judge_one(baseline, run, confirmations, options);
  if (!judgement.in_doubt || confirmations.empty()) {
    return judgement;
  }
  return settle_doubt(std::move(judgement), judge(baseline, confirmations.front(), confirmations.subspan(1), options));
}

Judgement judge(const std::optional<CaseBaseline>& baseline, const CaseRun& run,
                const std::optional<CaseRun>& confirmation, const RuleOptions& options) {
  return judge(baseline, run, confirmation ? std::span(&*confirmation, 1) : std::span<const CaseRun>(), options);
}

bool is_narrow(const Judgement& judgement, const RuleOptions& options) {
  if (judgement.verdict != Verdict::regressed || !judgement.change_pct || !judgement.threshold_pct) return false;
  return *judgement.change_pct < options.clear_factor * *judgement.threshold_pct;
}

Judgement hold_against_control(Judgement judgement, const Judgement& control) {
  if (judgement.verdict != Verdict::regressed || control.verdict != Verdict::regressed) {
    return judgement;
  }
  std::string reason = fmt::format(
      "{}; but the library implementation slowed down as well ({}), so the machine may have moved and not the op",
      judgement.reason, control.reason);
  return with(std::move(judgement), Verdict::inconclusive, std::move(reason));
}

}  // namespace opgate::core
