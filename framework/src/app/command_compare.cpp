#include <fmt/format.h>

#include <charconv>
#include <map>
#include <memory>

#include "app/command_result.hpp"
#include "app/command_table.hpp"
#include "app/command_text.hpp"
#include "opgate/error.hpp"

namespace opgate::app {

namespace {

struct Words {
  std::string a, b;
  bool changed_only = false;
};

struct Row {
  std::string name;
  std::string outcome;
  core::Judgement judgement;
};

std::optional<std::int64_t> run_number(const std::string& word) {
  if (word == "last") return std::nullopt;
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (word.empty() || problem != std::errc() || end != word.data() + word.size()) {
    throw Error(ErrorKind::usage, "'" + word + "' is no run", "opgate compare",
                "give two numbers of opgate runs, or last");
  }
  return number;
}

// One run has no noise of its own, so these are no verdicts.
const char* outcome_of(core::Verdict verdict) {
  switch (verdict) {
    case core::Verdict::pass:
      return "same";
    case core::Verdict::regressed:
      return "slower";
    case core::Verdict::improved:
      return "faster";
    case core::Verdict::inconclusive:
      return "unclear";
    default:
      return "not-comparable";
  }
}

Row compare_case(const std::string& name, const store::CaseResult* a, const store::CaseResult* b) {
  Row row{name, {}, {}};
  const auto before = a == nullptr ? std::nullopt : measured_run(*a);
  const auto after = b == nullptr ? std::nullopt : measured_run(*b);
  if (a == nullptr || b == nullptr) {
    row.outcome = a == nullptr ? "only-in-b" : "only-in-a";
    row.judgement.baseline_ns = a == nullptr ? std::nullopt : median_busy_ns(*a);
    row.judgement.measured_ns = b == nullptr ? std::nullopt : median_busy_ns(*b);
    return row;
  }
  if (!before || !after) {
    row.outcome = "not-measured";
    row.judgement.baseline_ns = median_busy_ns(*a);
    row.judgement.measured_ns = median_busy_ns(*b);
    row.judgement.reason = fmt::format("{} measured nothing", !before ? (!after ? "neither run" : "A") : "B");
    return row;
  }
  core::RuleOptions rule = b->rule;
  rule.min_runs = 1;
  row.judgement = core::judge(core::summarise({*before}), *after, std::nullopt, rule);
  row.outcome = outcome_of(row.judgement.verdict);
  if (!row.judgement.baseline_ns) row.judgement.baseline_ns = median_busy_ns(*a);
  if (!row.judgement.measured_ns) row.judgement.measured_ns = median_busy_ns(*b);
  return row;
}

std::vector<Row> compare_runs(const std::vector<store::CaseResult>& a, const std::vector<store::CaseResult>& b) {
  std::map<std::string, std::pair<const store::CaseResult*, const store::CaseResult*>> pairs;
  for (const store::CaseResult& result : a) pairs[result.identity.name].first = &result;
  for (const store::CaseResult& result : b) pairs[result.identity.name].second = &result;
  std::vector<Row> rows;
  rows.reserve(pairs.size());
  for (const auto& [name, pair] : pairs) rows.push_back(compare_case(name, pair.first, pair.second));
  return rows;
}

Json json_of(const Row& row, const store::RunInfo& a, const store::RunInfo& b) {
  const core::Judgement& j = row.judgement;
  const bool compared = j.change_pct.has_value();
  return {{"case", row.name},
          {"a_run", a.id},
          {"b_run", b.id},
          {"outcome", row.outcome},
          {"metric", compared ? Json(core::to_string(j.metric)) : Json(nullptr)},
          {"a_ns", or_null(j.baseline_ns)},
          {"b_ns", or_null(j.measured_ns)},
          {"change_pct", or_null(j.change_pct)},
          {"limit_pct", or_null(j.threshold_pct)},
          {"reason", row.outcome == "not-comparable" || row.outcome == "not-measured" ? Json(j.reason) : Json(nullptr)},
          {"notes", j.notes}};
}

void print_text(const Session& session, const std::vector<Row>& rows, const Words& words, const store::RunInfo& a,
                const store::RunInfo& b) {
  std::map<std::string, std::size_t> counts;
  std::vector<std::vector<std::string>> cells{{"case", "a", "b", "change", "limit", "outcome"}};
  for (const Row& row : rows) {
    ++counts[row.outcome];
    if (words.changed_only && row.outcome == "same") continue;
    const core::Judgement& j = row.judgement;
    const bool told = row.outcome == "not-comparable" || row.outcome == "not-measured";
    cells.push_back({row.name, milliseconds(j.baseline_ns), milliseconds(j.measured_ns), change(j.change_pct),
                     percent(j.threshold_pct), told ? row.outcome + ": " + j.reason : row.outcome});
  }
  session.out() << fmt::format("a: run {} of {}\nb: run {} of {}\n", a.id, utc(a.started_unix_ms), b.id,
                               utc(b.started_unix_ms));
  session.out() << table(cells);
  std::vector<std::string> summary;
  summary.reserve(counts.size());
  for (const auto& [outcome, count] : counts) summary.push_back(fmt::format("{} {}", count, outcome));
  session.out() << joined(summary) << "; single runs, no verdict: opgate judge holds a run against its baseline\n";
}

core::ExitCode run_compare(const Session& session, const Words& words) {
  const store::History history = session.read_history();
  const store::RunInfo a = require_run(history, run_number(words.a));
  const store::RunInfo b = require_run(history, run_number(words.b));
  const std::vector<Row> rows =
      compare_runs(filtered_results(session, history, a.id), filtered_results(session, history, b.id));
  if (rows.empty()) {
    session.err() << fmt::format("opgate: no case{} in run {} or {}\n", session.filter_words(), a.id, b.id);
  } else if (session.json) {
    for (const Row& row : rows) {
      if (!words.changed_only || row.outcome != "same") session.print(json_of(row, a, b));
    }
  } else {
    print_text(session, rows, words, a, b);
  }
  return core::ExitCode::pass;
}

}  // namespace

void add_compare(Command app, Session& session) {
  auto words = std::make_shared<Words>();
  Command compare = app.subcommand("compare", "Hold one run of the history against another, case by case");
  compare.option("A", words->a, "A number of opgate runs, or last").required();
  compare.option("B", words->b, "The run that came after").required();
  compare.flag("--changed", words->changed_only, "Leave out cases that are the same within their limits");
  compare.callback([words, &session] { session.action = [words, &session] { return run_compare(session, *words); }; });
}

}  // namespace opgate::app
