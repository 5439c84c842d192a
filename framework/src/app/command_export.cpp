#include <algorithm>
#include <charconv>
#include <memory>
#include <string>

#include "app/command_result.hpp"
#include "app/command_table.hpp"
#include "exchange/export_google_benchmark.hpp"
#include "exchange/export_junit.hpp"
#include "opgate/error.hpp"

namespace opgate::app {

namespace {

struct Words {
  bool no_samples = false;
  std::string format = "json";
  std::string run;  // empty: all runs of json, the last one of the others
};

std::optional<std::int64_t> run_number(const std::string& word) {
  if (word.empty() || word == "last") return std::nullopt;
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (problem != std::errc() || end != word.data() + word.size()) {
    throw Error(ErrorKind::usage, "'" + word + "' is no run", "--run", "give a number of opgate runs, or last");
  }
  return number;
}

// By case, whatever order the history gives.
std::vector<store::CaseResult> sorted_results(const Session& session, const store::History& history,
                                              const store::RunInfo& run) {
  auto results = results_of(history, run.id, true);
  std::erase_if(results, [&](const auto& result) { return !session.matches(result.identity.name); });
  std::sort(results.begin(), results.end(),
            [](const auto& a, const auto& b) { return a.identity.name < b.identity.name; });
  return results;
}

core::ExitCode run_export(const Session& session, const Words& words) {
  const store::History history = session.read_history();
  if (words.format != "json") {
    const store::RunInfo run = require_run(history, run_number(words.run));
    const auto results = sorted_results(session, history, run);
    session.out() << (words.format == "junit" ? exchange::junit_of(run, results)
                                              : exchange::google_benchmark_of(run, results));
    return core::ExitCode::pass;
  }
  auto runs = words.run.empty() ? history.runs() : std::vector{require_run(history, run_number(words.run))};
  std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  for (const store::RunInfo& run : runs) {
    for (const store::CaseResult& result : sorted_results(session, history, run)) {
      session.print(json_of(run, result, !words.no_samples));
    }
  }
  return core::ExitCode::pass;
}

}  // namespace

void add_export(Command app, Session& session) {
  auto words = std::make_shared<Words>();
  Command command = app.subcommand(
      "export", "Print results: every one as a line of JSON, by run and case, or one run for another tool");
  command.flag("--no-samples", words->no_samples, "json: leave out the single samples");
  command.option("--format", words->format, "json (default), junit (XML) or gbench (JSON of Google Benchmark)")
      .type_name("FORMAT")
      .check(one_of({"json", "junit", "gbench"}));
  command.option("--run", words->run, "Only this run (default: all of json, else the last)").type_name("N|last");
  command.callback([words, &session] { session.action = [words, &session] { return run_export(session, *words); }; });
}

}  // namespace opgate::app
