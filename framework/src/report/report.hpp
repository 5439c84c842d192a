#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/exit_code.hpp"
#include "report/case_history.hpp"
#include "report/completeness.hpp"
#include "report/figures.hpp"
#include "report/outcome.hpp"

namespace opgate::report {

// Where a number comes from; only the first was measured in the run itself.
enum class Source : std::uint8_t { measured, replayed, imported };
[[nodiscard]] const char* word_of(Source source);  // "measured", as scripts see it

// A case that the run recorded, or was expected to.
struct ReportCase {
  std::string name;
  std::optional<Outcome> outcome;  // absent: it was expected, and recorded nothing
  bool wants_attention = false;    // a person must look at it
  Source source = Source::measured;
  store::CaseResult result;                   // empty where nothing was recorded
  std::optional<Figures> figures;             // ours; only of an outcome with a number
  std::optional<core::CeilingShare> ceiling;  // of those figures
  std::vector<std::string> remarks;  // what limits the number: "replayed, NOT MEASURED", "imported", "mixed call"
  std::string reason;                // one sentence
  CaseHistory trend;                 // results up to this run, newest first
};

// How many cases ended how.
struct ReportCounts {
  std::size_t expected = 0;  // selected; where the selection is unknown, recorded
  bool selection_known = false;
  std::map<Outcome, std::size_t> by_outcome;
  std::size_t not_run = 0;  // expected, recorded nothing
  std::size_t with_number = 0;
  std::size_t replayed = 0, imported = 0;
  std::size_t repeated = 0, unselected = 0;
  [[nodiscard]] std::size_t of(Outcome outcome) const;
};

// One run and what came before it.
struct Report {
  store::RunInfo run;
  std::vector<ReportCase> cases;  // those that want attention first, worst first; then by name
  ReportCounts counts;
  core::ExitCode exit_code = core::ExitCode::pass;
  std::vector<std::string> warnings;  // what makes the whole run doubtful
};

// `results` of the run, with samples where distributions are wanted; `histories` by case name, as far as known.
[[nodiscard]] Report make_report(store::RunInfo run, std::vector<store::CaseResult> results,
                                 std::map<std::string, std::vector<store::SeriesRow>> histories);

// The outcome of a result in a case's history; its reading counts only with a number.
[[nodiscard]] Outcome outcome_of(const store::SeriesRow& row);
[[nodiscard]] Source source_of(const store::SeriesRow& row);
// The limit that the change was held against, as a time; absent without a baseline.
[[nodiscard]] std::optional<double> limit_ns(std::optional<double> baseline_ns, std::optional<double> threshold_pct);
// Medians of the newest series of comparable readings, oldest first.
[[nodiscard]] std::vector<double> newest_series(const ReportCase& one);
// "nightly 12": the run as a heading names it.
[[nodiscard]] std::string name_of_run(const store::RunInfo& run);
// Counts in the order people ask for them: regressed, improved, inconclusive, no baseline, not run, then the rest.
struct Count {
  std::string phrase;
  std::size_t count = 0;
  bool always = false;  // shown even when it is 0
};
[[nodiscard]] std::vector<Count> counts_in_order(const ReportCounts& counts);

}  // namespace opgate::report
