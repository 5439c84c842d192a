#include <algorithm>
#include <memory>

#include "app/command_result.hpp"
#include "app/command_table.hpp"
#include "app/command_text.hpp"
#include "report/format.hpp"

namespace opgate::app {

namespace {

bool wanted(const Session& session, const store::RunInfo& run) {
  return session.filter.empty() || std::any_of(run.selected.begin(), run.selected.end(),
                                               [&](const std::string& name) { return session.matches(name); });
}

std::string state_of(const store::RunInfo& run) {
  std::string state = run.closed_unix_ms ? "closed" : "open";
  if (run.replayed) state += ", replayed";
  return state;
}

core::ExitCode run_runs(const Session& session, std::int64_t limit) {
  const store::History history = session.read_history();
  std::vector<std::vector<std::string>> rows{{"run", "when", "origin", "host", "commit", "cases", "state", "label"}};
  for (const store::RunInfo& run : history.runs(limit)) {
    if (!wanted(session, run)) continue;
    if (session.json) {
      session.print(json_of(run));
      continue;
    }
    rows.push_back({std::to_string(run.id), utc(run.started_unix_ms), run.origin, run.host.empty() ? "-" : run.host,
                    run.commit.empty() ? "-" : run.commit.substr(0, 12) + (run.dirty ? "+" : ""),
                    run.selected.empty() ? "-" : std::to_string(run.selected.size()), state_of(run),
                    report::run_label(run.label)});
  }
  if (!session.json) {
    session.out() << table(rows);
    if (rows.size() == 1)
      session.out() << "no run" << session.filter_words() << " in " << history.path().string() << '\n';
  }
  return core::ExitCode::pass;
}

}  // namespace

void add_runs(Command app, Session& session) {
  auto limit = std::make_shared<std::int64_t>(-1);
  Command runs = app.subcommand("runs", "List the runs of the history, newest first");
  runs.option("--limit", *limit, "At most this many (default: all)").type_name("N").check(count_check());
  runs.callback([limit, &session] { session.action = [limit, &session] { return run_runs(session, *limit); }; });
}

}  // namespace opgate::app
