#include "report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "report/console.hpp"
#include "store/names.hpp"

namespace opgate::report {
namespace {

constexpr const char* kImported = "import";

// An import has nothing to close.
bool is_left_open(const store::RunInfo& run) {
  return !run.closed_unix_ms && run.origin != kImported;
}

bool is_imported(const store::CaseResult& result) {
  return std::any_of(result.attempts.begin(), result.attempts.end(), [](const core::Attempt& attempt) {
    return std::any_of(attempt.implementations.begin(), attempt.implementations.end(),
                       [](const auto& one) { return one.imported.has_value(); });
  });
}

Source source_of(const store::RunInfo& run, const store::CaseResult& result) {
  if (run.replayed || is_replayed(result)) return Source::replayed;
  return run.origin == kImported || is_imported(result) ? Source::imported : Source::measured;
}

std::vector<std::string> remarks_of(const ReportCase& one) {
  std::vector<std::string> remarks;
  if (one.source == Source::replayed) remarks.emplace_back("replayed, NOT MEASURED");
  if (one.source == Source::imported) remarks.emplace_back("imported");
  if (one.figures && one.figures->groups.size() > 1) remarks.emplace_back("mixed call: the median is not compared");
  const core::Attempt* const attempt = deciding_attempt(one.result);
  const core::ImplementationResult* const ours = attempt != nullptr ? ours_of(*attempt) : nullptr;
  if (one.figures && ours != nullptr && !ours->imported && ours->measurement.timing == Timing::cuda_events) {
    remarks.emplace_back("timed by CUDA events");
  }
  if (one.result.times_recorded > 1) {
    remarks.push_back(fmt::format("recorded {} times in this run", one.result.times_recorded));
  }
  return remarks;
}

std::string reason_of(const store::CaseResult& result) {
  if (has_number(outcome_of(result)) && result.judgement) return result.judgement->reason;
  if (std::string why = why_of(result); !why.empty()) return why;
  if (outcome_of(result) == Outcome::not_judged) return "a number without a verdict: opgate judge gives one";
  return result.exit_code ? core::meaning(*result.exit_code) : "opened and never closed: its process died";
}

ReportCase recorded_case(const store::RunInfo& run, store::CaseResult result) {
  ReportCase one;
  one.name = result.identity.name;
  one.outcome = outcome_of(result);
  one.source = source_of(run, result);
  one.reason = reason_of(result);
  const core::Attempt* const attempt = deciding_attempt(result);
  if (has_number(*one.outcome) && attempt != nullptr && attempt->status == core::Status::measured) {
    if (const auto* const ours = ours_of(*attempt)) one.figures = figures_of(*ours, result.identity);
    if (one.figures) one.ceiling = ceiling_of(result, *attempt);
  }
  one.result = std::move(result);
  one.remarks = remarks_of(one);
  // An import brings no verdict: that alone calls nobody.
  const bool only_imported = one.outcome == Outcome::not_judged && one.source == Source::imported;
  one.wants_attention = one.result.times_recorded > 1 || (is_named(one.result) && !only_imported);
  return one;
}

ReportCase missing_case(const std::string& name) {
  ReportCase one;
  one.name = name;
  one.wants_attention = true;
  one.reason = "expected, but it recorded nothing";
  return one;
}

// Worst first, as the exit code ranks them: what nobody could measure, then what got slower, then doubts.
int rank_of(const ReportCase& one) {
  if (!one.wants_attention) return 100;
  if (!one.outcome) return 1;
  constexpr std::array<Outcome, 10> kOrder{
      Outcome::regressed,    Outcome::failed,      Outcome::never_finished, Outcome::untrusted,  Outcome::wrong_result,
      Outcome::inconclusive, Outcome::no_baseline, Outcome::not_comparable, Outcome::not_judged, Outcome::waived};
  const auto at = std::find(kOrder.begin(), kOrder.end(), *one.outcome);
  return at == kOrder.begin() ? 0 : static_cast<int>(at - kOrder.begin()) + 2;
}

double change_of(const ReportCase& one) {
  return one.result.judgement ? one.result.judgement->change_pct.value_or(0) : 0;
}

bool comes_first(const ReportCase& a, const ReportCase& b) {
  if (rank_of(a) != rank_of(b)) return rank_of(a) < rank_of(b);
  if (a.wants_attention && change_of(a) != change_of(b)) return change_of(a) > change_of(b);
  return a.name < b.name;
}

ReportCounts count(const Report& report, const Completeness& complete) {
  ReportCounts counts;
  counts.selection_known = !report.run.selected.empty();
  counts.not_run = complete.missing.size();
  counts.repeated = complete.repeated.size();
  counts.unselected = complete.unselected;
  for (const ReportCase& one : report.cases) {
    if (!one.outcome) continue;
    ++counts.by_outcome[*one.outcome];
    counts.with_number += has_number(*one.outcome) ? 1 : 0;
    if (*one.outcome == Outcome::skipped) continue;
    counts.replayed += one.source == Source::replayed ? 1 : 0;
    counts.imported += one.source == Source::imported ? 1 : 0;
  }
  counts.expected = counts.selection_known
                        ? std::set<std::string>(report.run.selected.begin(), report.run.selected.end()).size()
                        : report.cases.size();
  return counts;
}

std::vector<std::string> warnings_of(const Report& report) {
  std::vector<std::string> warnings;
  const ReportCounts& counts = report.counts;
  if (report.run.replayed || counts.replayed > 0) {
    warnings.push_back(fmt::format("{} replayed from recorded traces, NOT MEASURED",
                                   count_text(counts.replayed, "result") + (counts.replayed == 1 ? " is" : " are")));
  }
  if (counts.imported > 0) {
    warnings.push_back(
        fmt::format("{} by another tool and imported: opgate has not measured {}",
                    count_text(counts.imported, "result") + (counts.imported == 1 ? " was" : " were") + " taken",
                    counts.imported == 1 ? "it" : "them"));
  }
  if (is_left_open(report.run)) warnings.emplace_back("the run was never closed: results may be missing");
  if (report.run.dirty) warnings.emplace_back("the sources differed from the commit");
  if (counts.repeated > 0) {
    warnings.push_back(count_text(counts.repeated, "case") + " recorded more than once in this run");
  }
  return warnings;
}

}  // namespace

const char* word_of(Source source) {
  switch (source) {
    case Source::replayed:
      return "replayed";
    case Source::imported:
      return "imported";
    case Source::measured:
      break;
  }
  return "measured";
}

std::size_t ReportCounts::of(Outcome outcome) const {
  const auto found = by_outcome.find(outcome);
  return found == by_outcome.end() ? 0 : found->second;
}

Outcome outcome_of(const store::SeriesRow& row) {
  return outcome_of(Ending{row.exit_code, row.verdict, row.waived, row.last_status});
}

Source source_of(const store::SeriesRow& row) {
  if (row.replayed) return Source::replayed;
  return row.reading && row.reading->imported ? Source::imported : Source::measured;
}

std::optional<double> limit_ns(std::optional<double> baseline_ns, std::optional<double> threshold_pct) {
  if (!baseline_ns || !threshold_pct) return std::nullopt;
  return *baseline_ns * (1 + *threshold_pct / 100);
}

std::vector<double> newest_series(const ReportCase& one) {
  return one.trend.series.empty() ? std::vector<double>{} : one.trend.series.front().values_ns;
}

std::string name_of_run(const store::RunInfo& run) {
  return run.label.empty() ? fmt::format("run {}", run.id) : fmt::format("run {} ({})", run.id, run_label(run.label));
}

std::vector<Count> counts_in_order(const ReportCounts& counts) {
  std::vector<Count> all{{"regressed", counts.of(Outcome::regressed), true},
                         {"improved", counts.of(Outcome::improved), true},
                         {"inconclusive", counts.of(Outcome::inconclusive), true},
                         {"no baseline", counts.of(Outcome::no_baseline), true},
                         {"not run", counts.not_run, true},
                         {"skipped", counts.of(Outcome::skipped), false}};
  for (const Outcome outcome : {Outcome::failed, Outcome::untrusted, Outcome::wrong_result, Outcome::never_finished,
                                Outcome::not_comparable, Outcome::not_judged, Outcome::waived}) {
    all.push_back({phrase_of(outcome), counts.of(outcome), false});
  }
  all.push_back({"pass", counts.of(Outcome::pass), true});
  return all;
}

Report make_report(store::RunInfo run, std::vector<store::CaseResult> results,
                   std::map<std::string, std::vector<store::SeriesRow>> histories) {
  Report report;
  const Completeness complete = completeness_of(run, results);
  report.exit_code = run_exit_code(run, results);
  if (is_left_open(run)) report.exit_code = core::ExitCode::cannot_run;
  for (store::CaseResult& result : results) report.cases.push_back(recorded_case(run, std::move(result)));
  for (const std::string& name : complete.missing) report.cases.push_back(missing_case(name));
  for (ReportCase& one : report.cases) {
    auto rows = std::move(histories[one.name]);
    for (store::SeriesRow& row : rows) {
      if (!has_number(outcome_of(row))) row.reading.reset();  // what ended red later is no point of a trend
    }
    one.trend = case_history(one.name, std::move(rows));
  }
  std::stable_sort(report.cases.begin(), report.cases.end(), comes_first);
  report.run = std::move(run);
  report.counts = count(report, complete);
  report.warnings = warnings_of(report);
  return report;
}

}  // namespace opgate::report
