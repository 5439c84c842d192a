#include "app/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <filesystem>
#include <span>
#include <system_error>

#include "app/command_gate.hpp"
#include "app/command_session.hpp"
#include "app/command_table.hpp"
#include "app/option_checks.hpp"
#include "opgate/error.hpp"
#include "text/suggest.hpp"

namespace opgate::app {

namespace {

void add_common_options(CLI::App& app, Session& session) {
  app.add_option("--history", session.history, "History file (default: OPGATE_HISTORY, else the build folder's)")
      ->type_name("FILE")
      ->check(not_empty());
  app.add_option("--baselines", session.baselines, "Baselines folder (default: OPGATE_BASELINES, else the project's)")
      ->type_name("DIR")
      ->check(not_empty());
  app.add_option("--filter", session.filter, "Only cases whose name matches this regular expression")
      ->type_name("REGEX");
  app.add_flag("--json", session.json, "Print one JSON object per line");
}

void add_commands(CLI::App& app, Session& session) {
  add_init(app, session);
  add_list(app, session);
  add_show(app, session);
  add_history(app, session);
  add_runs(app, session);
  add_judge(app, session);
  add_compare(app, session);
  add_ab(app, session);
  add_bisect(app, session);
  add_gate(app, session);
  add_backtest(app, session);
  add_baseline(app, session);
  add_import(app, session);
  add_export(app, session);
  add_report(app, session);
  add_replay(app, session);
  add_validate(app, session);
  add_doctor(app, session);
  add_devices(app, session);
  add_prune(app, session);
  add_backup(app, session);
  add_fixture(app, session);
}

// Help of a command lists its own words only.
void name_common_options(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    command->footer("Common options, here or before the command: --history FILE --baselines DIR --filter REGEX --json");
    name_common_options(*command);
  }
}

// The innermost command that the words chose, and how it is called.
std::pair<const CLI::App*, std::string> chosen(const CLI::App& app) {
  const CLI::App* command = &app;
  std::string name = "opgate";
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    name += " " + command->get_name();
  }
  return {command, name};
}

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); })) {
    names.push_back(command->get_name());
  }
  return names;
}

// "usage: opgate judge [OPTIONS]": the first line of the command's help that says so.
std::string usage_of(const CLI::App& command, const std::string& name) {
  std::string usage = "usage: " + name + " [OPTIONS]";
  const auto options = command.get_options([](const CLI::Option* option) { return option->get_positional(); });
  for (const CLI::Option* option : options) {
    std::string word = option->get_name(true);
    if (option->get_expected_max() > 1) word += "...";
    usage += option->get_required() ? " " + word : " [" + word + "]";
  }
  if (!commands_of(command).empty()) usage += " COMMAND";
  return usage;
}

// CLI11 asks for a subcommand without naming the word that is none.
std::string missing_command(const std::vector<std::string>& words, const std::vector<std::string>& commands) {
  if (words.empty()) return "no command is given";
  const std::string& word = words.front();
  if (word.starts_with('-')) return fmt::format("there is no option {}", word);
  const auto meant = text::nearest(word, std::span<const std::string>(commands));
  return fmt::format("there is no command {}{}", word, meant ? "; did you mean " + *meant + "?" : "");
}

int usage_error(const CLI::App& app, const CLI::ParseError& problem, std::ostream& err) {
  const auto [command, name] = chosen(app);
  const std::vector<std::string> commands = commands_of(*command);
  const bool missing = !commands.empty() && dynamic_cast<const CLI::RequiredError*>(&problem) != nullptr;
  std::string said = missing ? missing_command(app.remaining(true), commands) : problem.what();
  std::replace(said.begin(), said.end(), '\n', ' ');
  err << name << ": " << said << '\n'
      << "  " << usage_of(*command, name) << '\n'
      << "  fix: see " << name << " --help\n";
  return static_cast<int>(core::ExitCode::usage);
}

// design: a history that was named and is not there is an error for every command but those that create it.
void refuse_missing_history(const Session& session) {
  if (session.creates_history || !run::history_is_named(session.history)) return;
  const auto path = session.history_path();
  std::error_code problem;
  if (std::filesystem::exists(path, problem)) return;
  throw Error(ErrorKind::history, "the history does not exist", path.string(),
              "name an existing history, or make one with opgate import or by running a case");
}

}  // namespace

int command_line(const std::vector<std::string>& words, std::ostream& out, std::ostream& err, bool unicode) {
  Session session(out, err);
  session.unicode = unicode;
  CLI::App app("Performance-regression gate for CUDA ops: its history, baselines and verdicts", "opgate");
  app.fallthrough();
  app.set_version_flag("--version", "opgate " OPGATE_VERSION, "Print the version and exit");
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  add_common_options(app, session);
  add_commands(app, session);
  name_common_options(app);
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());  // CLI11 takes them from the back
    app.parse(reversed);
    session.compile_filter();
    refuse_missing_history(session);
    const core::ExitCode code = session.action();
    out.flush();
    if (!out) throw Error(ErrorKind::io, "the output could not be written", {}, "check the disk or the pipe");
    return static_cast<int>(code);
  } catch (const CLI::CallForHelp&) {
    out << app.help();  // of the innermost command
    return 0;
  } catch (const CLI::CallForVersion& version) {
    out << version.what() << '\n';
    return 0;
  } catch (const CLI::ParseError& problem) {
    return usage_error(app, problem, err);
  } catch (const Error& problem) {
    err << "opgate: " << problem.what() << '\n';
    return static_cast<int>(core::exit_code_of(problem.kind()));
  } catch (const std::filesystem::filesystem_error& problem) {
    err << "opgate: " << problem.what() << "\n  fix: use paths that exist and are not too long\n";
    return static_cast<int>(core::ExitCode::cannot_run);
  } catch (const std::exception& problem) {
    err << "opgate: " << problem.what() << "\n  fix: report this as a defect of opgate\n";
    return static_cast<int>(core::ExitCode::cannot_run);
  }
}

}  // namespace opgate::app
