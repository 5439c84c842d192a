#include <fmt/format.h>

#include <memory>

#include "app/command_result.hpp"
#include "app/command_table.hpp"
#include "app/command_text.hpp"
#include "opgate/error.hpp"
#include "report/console.hpp"
#include "text/suggest.hpp"

namespace opgate::app {

namespace {

struct Words {
  std::string name;
  std::optional<std::int64_t> run;
};

store::CaseResult wanted_result(const store::History& history, const Words& words) {
  auto found = history.results({words.run, words.name, 1, true});
  if (!found.empty()) return std::move(found.front());
  const auto near = text::near_names(words.name, history.case_names(), 3);
  const std::string run = words.run ? fmt::format(" in run {}", *words.run) : "";
  throw Error(
      ErrorKind::history, fmt::format("nothing is recorded for {}{}", words.name, run), history.path().string(),
      near.empty() ? "choose one of the cases that opgate list prints" : "did you mean " + joined(near, " or ") + "?");
}

core::ExitCode run_show(const Session& session, const Words& words) {
  const store::History history = session.read_history();
  if (words.run) (void)require_run(history, words.run);
  const store::CaseResult result = wanted_result(history, words);
  const store::RunInfo run = require_run(history, result.run_id);
  if (session.json) {
    session.print(json_of(run, result, true));
    return core::ExitCode::pass;
  }
  const std::string quoted = "'" + words.name + "'";
  const report::NextSteps next{
      "ctest -R " + quoted, {}, "opgate baseline accept --last 5 --filter " + quoted + " --reason TEXT"};
  session.out() << fmt::format("run {} of {}{}\n", run.id, utc(run.started_unix_ms),
                               run.commit.empty() ? "" : ", commit " + run.commit)
                << report::case_block(result, next, false);
  return core::ExitCode::pass;
}

}  // namespace

void add_show(CLI::App& app, Session& session) {
  auto words = std::make_shared<Words>();
  CLI::App* show = app.add_subcommand("show", "Show the newest result of a case");
  show->add_option("CASE", words->name, "Case name, e.g. gemm.decode-1.f16")->required();
  show->add_option("--run", words->run, "The result of this run instead")->type_name("N");
  show->callback([words, &session] { session.action = [words, &session] { return run_show(session, *words); }; });
}

}  // namespace opgate::app
