#include "app/command_table.hpp"

namespace opgate::app {

void add_baseline(Command app, Session& session) {
  Command baseline = app.subcommand("baseline", "Accept, show or compare the stored baselines");
  baseline.require_subcommand();
  add_baseline_accept(baseline, session);
  add_baseline_show(baseline, session);
  add_baseline_diff(baseline, session);
}

}  // namespace opgate::app
