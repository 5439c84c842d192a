#include "app/command_table.hpp"

namespace opgate::app {

void add_baseline(CLI::App& app, Session& session) {
  CLI::App* baseline = app.add_subcommand("baseline", "Accept, show or compare the stored baselines");
  baseline->require_subcommand(1);
  add_baseline_accept(*baseline, session);
  add_baseline_show(*baseline, session);
  add_baseline_diff(*baseline, session);
}

}  // namespace opgate::app
