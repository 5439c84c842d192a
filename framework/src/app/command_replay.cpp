#include <fmt/format.h>

#include <memory>

#include "app/command_result.hpp"
#include "app/command_table.hpp"
#include "app/command_text.hpp"
#include "core/figures.hpp"
#include "run/replay.hpp"

namespace opgate::app {

namespace {

std::vector<std::string> row_of(const core::ImplementationResult& implementation) {
  const core::SampleFigures figures = core::figures_of(implementation);
  const auto span = figures.latency_ns ? figures.latency_ns : figures.queued_latency_ns;
  const std::string& name = implementation.measurement.name;
  return {name.empty() ? "(ours)" : name,
          milliseconds(figures.busy_ns),
          milliseconds(figures.p10_ns),
          milliseconds(figures.p90_ns),
          milliseconds(span),
          figures.n_kernels ? std::to_string(*figures.n_kernels) : "-",
          std::to_string(figures.samples),
          std::to_string(implementation.measurement.retries)};
}

core::ExitCode run_replay(const Session& session, const std::string& file) {
  const collect::Trace trace = collect::read_trace(file);
  const core::Attempt attempt = run::replay_trace(trace);
  const core::ExitCode code = attempt.error ? core::exit_code_of(*attempt.error) : core::ExitCode::pass;
  if (session.json) {
    Json json{{"case", trace.identity.name}, {"trace", file}, {"exit_code", static_cast<int>(code)}};
    json["attempt"] = json_of(attempt, true);
    session.print(json);
    return code;
  }
  session.out() << fmt::format("{}: replayed from {}, NOT MEASURED\n", trace.identity.name, file);
  if (attempt.error) {
    session.out() << fmt::format("{} in phase {}: {}\n", core::to_string(attempt.status), attempt.phase,
                                 attempt.message);
    return code;
  }
  std::vector<std::vector<std::string>> rows{
      {"implementation", "busy", "p10", "p90", "span", "kernels", "samples", "retries"}};
  for (const auto& implementation : attempt.implementations) rows.push_back(row_of(implementation));
  session.out() << table(rows);
  return code;
}

}  // namespace

void add_replay(Command app, Session& session) {
  auto file = std::make_shared<std::string>();
  Command replay = app.subcommand("replay", "Compute the figures, or the error, of a recorded trace");
  replay.option("TRACE", *file, "Trace that a case wrote with --record").required();
  replay.callback([file, &session] { session.action = [file, &session] { return run_replay(session, *file); }; });
}

}  // namespace opgate::app
