#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/command_backtest_view.hpp"
#include "app/command_history_view.hpp"
#include "app/command_result.hpp"
#include "app/command_table.hpp"
#include "app/command_text.hpp"
#include "opgate/error.hpp"

namespace opgate::app {

namespace {

struct Words {
  std::vector<double> tolerances_pct{0.5, 1, 2, 3, 5, 10};
  std::size_t baseline_runs = 10;
  int last = 200;
};

// The results of a case, by run.
std::map<std::int64_t, core::PastRun> past_runs(const store::History& history, const std::string& name, int last) {
  std::map<std::int64_t, core::PastRun> past;
  for (const store::CaseResult& result : history.results({std::nullopt, name, last, true})) {
    auto run = measured_run(result);
    const bool trusted =
        result.exit_code &&
        (*result.exit_code == core::ExitCode::pass || *result.exit_code == core::ExitCode::regression ||
         *result.exit_code == core::ExitCode::inconclusive || *result.exit_code == core::ExitCode::no_baseline);
    if (run && trusted && result.times_recorded == 1) {
      std::vector<core::CaseRun> confirmations = own_confirmations(result);
      auto first = confirmations.empty() ? std::nullopt : std::optional(std::move(confirmations.front()));
      past.emplace(result.run_id, core::PastRun{*std::move(run), std::move(first), result.rule});
    }
  }
  return past;
}

// Rows on one level of all the series they are in: neither the conditions nor the level changes among them.
std::map<std::vector<std::size_t>, std::vector<std::int64_t>> levels_of(const CaseHistory& history) {
  std::vector<std::vector<std::size_t>> keys(history.rows.size());
  for (std::size_t number = 0; number < history.series.size(); ++number) {
    const core::Series& series = history.series[number];
    std::size_t level = 0;
    for (std::size_t i = 0; i < series.rows.size(); ++i) {
      if (level < series.changes.size() && series.changes[level].index == i) ++level;
      keys[series.rows[i]].insert(keys[series.rows[i]].end(), {number, level});
    }
  }
  std::map<std::vector<std::size_t>, std::vector<std::int64_t>> levels;
  for (std::size_t row = history.rows.size(); row-- > 0;) {
    if (!keys[row].empty()) levels[keys[row]].push_back(history.rows[row].run_id);
  }
  return levels;
}

CaseBacktest backtest_case(const store::History& history, const std::string& name, const Words& words,
                           const core::BacktestOptions& options) {
  CaseBacktest found;
  found.name = name;
  const CaseHistory seen = case_history(name, history.series(name, words.last));
  const auto past = past_runs(history, name, words.last);
  for (const core::Series& series : seen.series) found.changes += series.changes.size();
  for (const auto& [key, run_ids] : levels_of(seen)) {
    // A series goes on where readings come to be of more processes, a baseline does not.
    std::map<std::string, std::vector<core::PastRun>> levels;
    for (const std::int64_t run_id : run_ids) {
      const auto run = past.find(run_id);
      if (run != past.end()) levels[run->second.run.conditions.processes].push_back(run->second);
    }
    for (const auto& [processes, level] : levels) {
      found.runs += level.size();
      core::add_scores(found.scores, core::backtest(level, options));
    }
  }
  return found;
}

core::ExitCode run_backtest(const Session& session, const Words& words) {
  core::BacktestOptions options;
  options.baseline_runs = words.baseline_runs;
  options.tolerances.clear();
  for (const double percent : words.tolerances_pct) options.tolerances.push_back(percent / 100);
  std::sort(options.tolerances.begin(), options.tolerances.end());
  const store::History history = session.read_history();
  std::vector<CaseBacktest> cases;
  for (const std::string& name : history.case_names()) {
    if (session.matches(name)) cases.push_back(backtest_case(history, name, words, options));
  }
  std::size_t judged = 0;
  for (const CaseBacktest& one : cases) judged += one.judged();
  if (judged == 0) {
    throw Error(ErrorKind::history,
                "no case" + session.filter_words() + " has more comparable runs on one level than a baseline takes",
                history.path().string(), "record more runs, or lower --baseline-runs");
  }
  if (session.json) {
    for (const Json& line : backtest_json(cases, options)) session.print(line);
  } else {
    session.out() << backtest_text(cases, options);
  }
  return core::ExitCode::pass;
}

}  // namespace

void add_backtest(Command app, Session& session) {
  auto words = std::make_shared<Words>();
  Command backtest = app.subcommand(
      "backtest", "Judge the runs of the history again at several tolerances: false alarms and what would be caught");
  backtest.option("--tolerances", words->tolerances_pct, "Tolerances in percent (default: 0.5,1,2,3,5,10)")
      .delimiter(',')
      .type_name("PCT,...")
      .check(reals(0.01, 99.0));
  backtest.option("--baseline-runs", words->baseline_runs, "Runs before each that make its baseline (default: 10)")
      .type_name("N")
      .check(integers(5, 1000));
  backtest.option("--last", words->last, "Newest results of each case to look at (default: 200)")
      .type_name("N")
      .check(count_check());
  backtest.callback(
      [words, &session] { session.action = [words, &session] { return run_backtest(session, *words); }; });
}

}  // namespace opgate::app
