#include <algorithm>
#include <memory>

#include "app/command_result.hpp"
#include "app/command_table.hpp"

namespace opgate::app {

namespace {

// By run, then by case, whatever order the history gives.
core::ExitCode run_export(const Session& session, bool with_samples) {
  const store::History history = session.read_history();
  auto runs = history.runs();
  std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  for (const store::RunInfo& run : runs) {
    auto results = results_of(history, run.id, true);
    std::sort(results.begin(), results.end(),
              [](const auto& a, const auto& b) { return a.identity.name < b.identity.name; });
    for (const store::CaseResult& result : results) {
      if (session.matches(result.identity.name)) session.print(json_of(run, result, with_samples));
    }
  }
  return core::ExitCode::pass;
}

}  // namespace

void add_export(CLI::App& app, Session& session) {
  auto no_samples = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("export", "Print every result as a line of JSON, by run and case");
  command->add_flag("--no-samples", *no_samples, "Leave out the single samples");
  command->callback([no_samples, &session] {
    session.action = [no_samples, &session] { return run_export(session, !*no_samples); };
  });
}

}  // namespace opgate::app
