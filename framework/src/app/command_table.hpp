#pragma once

#include "app/command_options.hpp"
#include "app/command_session.hpp"

namespace opgate::app {

// Of runs or rows.
[[nodiscard]] inline WordCheck count_check() {
  return integers(1, 1'000'000);
}

// Each adds one command with its own words; its callback fills session.action. One file per command.
void add_init(Command app, Session& session);
void add_list(Command app, Session& session);
void add_show(Command app, Session& session);
void add_history(Command app, Session& session);
void add_runs(Command app, Session& session);
void add_judge(Command app, Session& session);
void add_compare(Command app, Session& session);
void add_ab(Command app, Session& session);
void add_bisect(Command app, Session& session);
void add_backtest(Command app, Session& session);
void add_baseline(Command app, Session& session);  // with accept, show and diff
void add_baseline_accept(Command baseline, Session& session);
void add_baseline_show(Command baseline, Session& session);
void add_baseline_diff(Command baseline, Session& session);
void add_import(Command app, Session& session);
void add_export(Command app, Session& session);
void add_report(Command app, Session& session);
void add_replay(Command app, Session& session);
void add_validate(Command app, Session& session);
void add_doctor(Command app, Session& session);
void add_devices(Command app, Session& session);
void add_prune(Command app, Session& session);
void add_backup(Command app, Session& session);
void add_fixture(Command app, Session& session);  // for CTest, not listed

}  // namespace opgate::app
