#include <memory>

#include "app/command_baseline_plan.hpp"
#include "app/command_table.hpp"

namespace opgate::app {

void add_baseline_diff(Command baseline, Session& session) {
  auto choice = std::make_shared<RunChoice>();
  Command diff = baseline.subcommand("diff", "What accepting these runs would change; writes nothing");
  add_run_choice(diff, *choice);
  choice->only_told = true;
  diff.callback([choice, &session] {
    session.action = [choice, &session] {
      print_plan(session, plan_baselines(session, *choice));
      return core::ExitCode::pass;
    };
  });
}

}  // namespace opgate::app
