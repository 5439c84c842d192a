#include "app/command_backtest_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "app/command_result.hpp"
#include "app/command_text.hpp"
#include "core/statistics.hpp"

namespace opgate::app {

namespace {

// Of one figure over the cases that have it.
struct Spread {
  std::optional<double> median, largest;
};

using Figure = std::function<std::optional<double>(const core::BacktestScore&)>;

Spread spread_of(const std::vector<CaseBacktest>& cases, std::size_t tolerance, const Figure& figure) {
  std::vector<double> values;
  bool complete = true;
  for (const CaseBacktest& one : cases) {
    if (one.judged() == 0) continue;
    const auto value = figure(one.scores[tolerance]);
    if (value) values.push_back(*value);
    complete = complete && value.has_value();
  }
  if (values.empty()) return {};
  // A case for which nothing is caught makes the largest unknown.
  return {core::median(values),
          complete ? std::optional(*std::max_element(values.begin(), values.end())) : std::nullopt};
}

std::vector<core::BacktestScore> total_of(const std::vector<CaseBacktest>& cases) {
  std::vector<core::BacktestScore> total;
  for (const CaseBacktest& one : cases) {
    if (one.judged() > 0) core::add_scores(total, one.scores);
  }
  return total;
}

std::string rate(int part, int whole) {
  return whole > 0 ? fmt::format("{} ({:.2f} %)", part, 100.0 * part / whole) : "-";
}

Json counts(const core::BacktestScore& score) {
  return {{"tolerance_pct", score.tolerance * 100}, {"judged", score.judged}, {"suspects", score.suspects},
          {"false_alarms", score.alarms},           {"open", score.open},     {"undecided", score.undecided}};
}

std::string overall_table(const std::vector<CaseBacktest>& cases, const core::BacktestOptions& options) {
  std::vector<std::vector<std::string>> rows{{"tolerance", "judged", "suspects", "false alarms", "undecided",
                                              "states: median", "largest", "catches: median", "largest"}};
  const auto total = total_of(cases);
  for (std::size_t i = 0; i < total.size(); ++i) {
    const Spread stated = spread_of(cases, i, core::stated_pct);
    const Spread caught = spread_of(
        cases, i, [&](const core::BacktestScore& score) { return core::caught_pct(score, options.share_caught); });
    rows.push_back({fmt::format("{:g} %", total[i].tolerance * 100), std::to_string(total[i].judged),
                    rate(total[i].suspects, total[i].judged), rate(total[i].alarms, total[i].judged),
                    rate(total[i].undecided, total[i].judged), percent(stated.median), percent(stated.largest),
                    percent(caught.median), percent(caught.largest)});
  }
  return table(rows);
}

std::string case_table(const std::vector<CaseBacktest>& cases, const core::BacktestOptions& options) {
  std::vector<std::vector<std::string>> rows{{"case", "runs", "judged"}};
  for (const double tolerance : options.tolerances) rows.front().push_back(fmt::format("at {:g} %", tolerance * 100));
  for (const CaseBacktest& one : cases) {
    if (one.judged() == 0) continue;
    auto& row =
        rows.emplace_back(std::vector<std::string>{one.name, std::to_string(one.runs), std::to_string(one.judged())});
    for (const core::BacktestScore& score : one.scores) {
      row.push_back(fmt::format("{} / {}", score.alarms, percent(core::caught_pct(score, options.share_caught))));
    }
  }
  return table(rows);
}

}  // namespace

std::string backtest_text(const std::vector<CaseBacktest>& cases, const core::BacktestOptions& options) {
  std::size_t runs = 0;
  std::size_t judged = 0;
  std::size_t changes = 0;
  std::size_t empty = 0;
  for (const CaseBacktest& one : cases) {
    runs += one.runs;
    judged += one.judged();
    changes += one.changes;
    empty += one.judged() == 0 ? 1 : 0;
  }
  std::string text = fmt::format(
      "Each run is judged against the {} comparable runs before it on the same level (no change of level among them):\n"
      "an alarm is false. A suspect is confirmed by its own fresh worker, where it had one, else by the next run.\n"
      "{} of {} judged, {} of level seen and not judged across",
      options.baseline_runs, judged, plural(runs, "reading"), plural(changes, "change"));
  if (empty > 0) text += fmt::format(", {} with too few runs left out", plural(empty, "case"));
  text += "\n\n" + overall_table(cases, options);
  text += fmt::format(
      "\nstates: the smallest slowdown that the verdicts say they detect; catches: the smallest that would have been\n"
      "called regressed, confirmation included, in {:g} % of the runs. Over the cases.\n\n",
      options.share_caught * 100);
  return text + case_table(cases, options) + "Of each case and tolerance: false alarms / smallest slowdown caught.\n";
}

std::vector<Json> backtest_json(const std::vector<CaseBacktest>& cases, const core::BacktestOptions& options) {
  const auto caught = [&](const core::BacktestScore& score) { return core::caught_pct(score, options.share_caught); };
  std::vector<Json> lines;
  for (const CaseBacktest& one : cases) {
    for (const core::BacktestScore& score : one.scores) {
      Json line{{"case", one.name}, {"runs", one.runs}, {"changes", one.changes}};
      line.update(counts(score));
      line["detectable_pct"] = or_null(core::stated_pct(score));
      line["caught_pct"] = or_null(caught(score));
      lines.push_back(std::move(line));
    }
  }
  const auto total = total_of(cases);
  for (std::size_t i = 0; i < total.size(); ++i) {
    const Spread states = spread_of(cases, i, core::stated_pct);
    const Spread catches = spread_of(cases, i, caught);
    Json line{{"case", nullptr}};
    line.update(counts(total[i]));
    line["detectable_pct"] = or_null(states.median);
    line["detectable_largest_pct"] = or_null(states.largest);
    line["caught_pct"] = or_null(catches.median);
    line["caught_largest_pct"] = or_null(catches.largest);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace opgate::app
