#include <memory>

#include "app/command_result.hpp"
#include "app/command_table.hpp"
#include "app/command_text.hpp"
#include "opgate/error.hpp"

namespace opgate::app {

namespace {

struct Words {
  std::string name;
  int limit = 30;
};

core::ExitCode run_history(const Session& session, const Words& words) {
  const store::History history = session.read_history();
  const auto results = history.results({std::nullopt, words.name, words.limit, true});
  if (results.empty()) {
    throw Error(ErrorKind::history, "nothing is recorded for " + words.name, history.path().string(),
                "choose one of the cases that opgate list prints");
  }
  std::vector<std::vector<std::string>> rows{{"run", "when", "commit", "median", "verdict"}};
  for (const store::CaseResult& result : results) {
    const store::RunInfo run = require_run(history, result.run_id);
    const auto median = median_busy_ns(result);
    if (session.json) {
      session.print({{"case", words.name},
                     {"run", run.id},
                     {"started_unix_ms", run.started_unix_ms},
                     {"commit", run.commit},
                     {"dirty", run.dirty},
                     {"median_ns", or_null(median)},
                     {"verdict", outcome_of(result)},
                     {"change_pct", result.judgement ? or_null(result.judgement->change_pct) : Json(nullptr)}});
      continue;
    }
    rows.push_back({std::to_string(run.id), utc(run.started_unix_ms),
                    run.commit.empty() ? "-" : run.commit.substr(0, 12) + (run.dirty ? "+" : ""), milliseconds(median),
                    outcome_of(result)});
  }
  if (!session.json) session.out() << table(rows);
  return core::ExitCode::pass;
}

}  // namespace

void add_history(CLI::App& app, Session& session) {
  auto words = std::make_shared<Words>();
  CLI::App* history = app.add_subcommand("history", "List the results of a case, newest first");
  history->add_option("CASE", words->name, "Case name, e.g. gemm.decode-1.f16")->required();
  history->add_option("--limit", words->limit, "At most this many (default: 30)")->type_name("N")->check(count_check());
  history->callback([words, &session] { session.action = [words, &session] { return run_history(session, *words); }; });
}

}  // namespace opgate::app
