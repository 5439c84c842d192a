#pragma once

#include <CLI/CLI.hpp>

#include "app/command_session.hpp"

namespace opgate::app {

// Of runs or rows. The description would repeat the bounds in the help.
[[nodiscard]] inline CLI::Validator count_check() {
  return CLI::Range(1, 1'000'000).description("");
}

// Each adds one command with its own words; its callback fills session.action. One file per command.
void add_init(CLI::App& app, Session& session);
void add_list(CLI::App& app, Session& session);
void add_show(CLI::App& app, Session& session);
void add_history(CLI::App& app, Session& session);
void add_runs(CLI::App& app, Session& session);
void add_judge(CLI::App& app, Session& session);
void add_compare(CLI::App& app, Session& session);
void add_ab(CLI::App& app, Session& session);
void add_bisect(CLI::App& app, Session& session);
void add_backtest(CLI::App& app, Session& session);
void add_baseline(CLI::App& app, Session& session);  // with accept, show and diff
void add_baseline_accept(CLI::App& baseline, Session& session);
void add_baseline_show(CLI::App& baseline, Session& session);
void add_baseline_diff(CLI::App& baseline, Session& session);
void add_import(CLI::App& app, Session& session);
void add_export(CLI::App& app, Session& session);
void add_report(CLI::App& app, Session& session);
void add_replay(CLI::App& app, Session& session);
void add_validate(CLI::App& app, Session& session);
void add_doctor(CLI::App& app, Session& session);
void add_devices(CLI::App& app, Session& session);
void add_prune(CLI::App& app, Session& session);
void add_backup(CLI::App& app, Session& session);
void add_fixture(CLI::App& app, Session& session);  // for CTest, not listed

}  // namespace opgate::app
