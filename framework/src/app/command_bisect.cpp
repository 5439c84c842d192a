#include <fmt/format.h>

#include <memory>
#include <optional>

#include "app/command_ab_view.hpp"
#include "app/command_table.hpp"
#include "app/command_text.hpp"
#include "app/command_trees.hpp"
#include "app/option_checks.hpp"
#include "app/progress.hpp"
#include "app/session_terminal.hpp"
#include "opgate/error.hpp"
#include "run/bisect.hpp"
#include "run/environment.hpp"

namespace opgate::app {

namespace {

struct Words {
  std::string case_name;
  std::string good;
  std::string bad;
  std::optional<std::string> build_command;
  std::size_t max_pairs = core::SequentialOptions{}.max_pairs;
  bool dry_run = false;
};

run::Project configured_project(const Session& session) {
  if (session.project()) return *session.project();
  throw Error(ErrorKind::usage, "no configured build folder was found", "bisect",
              "configure the project, and run inside its build folder or set OPGATE_PROJECT");
}

void print_plan(const Session& session, const run::BisectPlan& plan) {
  if (session.json) {
    session.print({{"good", plan.good}, {"bad", plan.bad}, {"commits", plan.commits}, {"commands", plan.commands}});
    return;
  }
  session.out() << plural(plan.commits.size(), "commit") << " may be the first slower one, oldest first:\n";
  for (const std::string& commit : plan.commits) session.out() << "  " << commit << '\n';
  session.out() << "for the good commit, the bad one and those that git bisect chooses between them:\n";
  for (const std::string& command : plan.commands) session.out() << "  " << command << '\n';
}

void print_step(const Session& session, const run::BisectStep& step) {
  if (session.json) {
    session.print({{"commit", step.commit},
                   {"subject", step.subject},
                   {"is", run::to_string(step.is)},
                   {"reason", step.reason},
                   {"compared", step.compared ? paired_json(*step.compared) : Json(nullptr)}});
  } else {
    session.out() << fmt::format("{:<8} {} {}\n         {}\n", run::to_string(step.is), step.commit.substr(0, 12),
                                 step.subject, step.reason);
  }
  session.out() << std::flush;
}

core::ExitCode run_bisect(const Session& session, const Words& words) {
  const run::Environment environment = run::read_environment();
  refuse_replay(environment);
  run::BisectRequest request{configured_project(session),
                             words.case_name,
                             words.good,
                             words.bad,
                             words.build_command,
                             {false, words.max_pairs, false, environment.require_gpu}};
  const run::BisectPlan plan = run::plan_bisect(request);
  if (words.dry_run) {
    print_plan(session, plan);
    return core::ExitCode::pass;
  }
  const auto choose = [&] { return run::choose_gpu(environment); };
  const run::Terminal terminal = terminal_of(session);
  Progress progress(session.err(), terminal.progress, terminal.width, "bisect", run::steps_of(plan));
  const auto begin = [&](const std::string& commit) { progress.next(commit); };
  const auto tell = [&](const run::BisectStep& step) {
    progress.hide();
    print_step(session, step);
  };
  const run::BisectResult result = run::bisect(request, plan, choose, begin, tell);
  progress.hide();
  if (session.json) {
    session.print({{"case", words.case_name},
                   {"first_bad", result.first_bad ? Json(result.first_bad->substr(0, 40)) : Json(nullptr)},
                   {"reason", result.why_not}});
  } else if (result.first_bad) {
    session.out() << fmt::format("{} became slower with {}\n", words.case_name, *result.first_bad);
  } else {
    session.out() << fmt::format("{}: no commit found: {}\n", words.case_name, result.why_not);
  }
  return result.first_bad ? core::ExitCode::pass : core::ExitCode::inconclusive;
}

}  // namespace

void add_bisect(Command app, Session& session) {
  auto words = std::make_shared<Words>();
  Command bisect = app.subcommand(
      "bisect", "Find the commit that made a case slower: builds commits in temporary worktrees and compares by ab");
  bisect.option("CASE", words->case_name, "The case, as opgate list names it").required().type_name("");
  bisect.option("GOOD", words->good, "Commit at which it was fast").required().type_name("").check(not_empty());
  bisect.option("BAD", words->bad, "Later commit at which it is slow").required().type_name("").check(not_empty());
  bisect
      .option("--build-command", words->build_command,
              "Shell command that builds a commit instead of cmake: sources in $OPGATE_BISECT_SOURCE, build folder "
              "in $OPGATE_BISECT_BUILD")
      .type_name("TEXT")
      .check(not_empty());
  bisect.option("--max-pairs", words->max_pairs, fmt::format("As of ab (default: {})", words->max_pairs))
      .type_name("N")
      .check(pairs_check());
  bisect.flag("--dry-run", words->dry_run, "List the commits and commands, and do nothing");
  bisect.callback([words, &session] { session.action = [words, &session] { return run_bisect(session, *words); }; });
}

}  // namespace opgate::app
