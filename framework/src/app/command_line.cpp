#include "app/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <span>
#include <system_error>
#include <variant>

#include "app/command_gate.hpp"
#include "app/command_parser.hpp"
#include "app/command_session.hpp"
#include "app/command_table.hpp"
#include "app/option_checks.hpp"
#include "opgate/error.hpp"
#include "text/suggest.hpp"

namespace opgate::app {

namespace {

void add_common_options(Command app, Session& session) {
  app.option("--history", session.history, "History file (default: OPGATE_HISTORY, else the build folder's)")
      .type_name("FILE")
      .check(not_empty());
  app.option("--baselines", session.baselines, "Baselines folder (default: OPGATE_BASELINES, else the project's)")
      .type_name("DIR")
      .check(not_empty());
  app.option("--filter", session.filter, "Only cases whose name matches this regular expression").type_name("REGEX");
  app.flag("--json", session.json, "Print one JSON object per line");
}

void add_commands(Command app, Session& session) {
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

// The parser asks for a subcommand without naming the word that is none.
std::string missing_command(const std::vector<std::string>& words, const std::vector<std::string>& commands) {
  if (words.empty()) return "no command is given";
  const std::string& word = words.front();
  if (word.starts_with('-')) return fmt::format("there is no option {}", word);
  const auto meant = text::nearest(word, std::span<const std::string>(commands));
  return fmt::format("there is no command {}{}", word, meant ? "; did you mean " + *meant + "?" : "");
}

int usage_error(const UsageProblem& problem, std::ostream& err) {
  std::string said =
      problem.subcommand_missing ? missing_command(problem.left_over, problem.subcommands) : problem.what;
  std::replace(said.begin(), said.end(), '\n', ' ');
  err << problem.command << ": " << said << '\n'
      << "  usage: " << problem.command << ' ' << problem.usage << '\n'
      << "  fix: see " << problem.command << " --help\n";
  return static_cast<int>(core::ExitCode::usage);
}

void describe(CommandParser& parser, Session& session) {
  parser.fallthrough();
  parser.version("opgate " OPGATE_VERSION, "Print the version and exit");
  parser.root().require_subcommand();
  parser.help_width(34);
  add_common_options(parser.root(), session);
  add_commands(parser.root(), session);
  // Help of a command lists its own words only.
  parser.footer_of_commands(
      "Common options, here or before the command: --history FILE --baselines DIR --filter REGEX --json");
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
  CommandParser parser("opgate", "Performance-regression gate for CUDA ops: its history, baselines and verdicts");
  describe(parser, session);
  try {
    const Parsed parsed = parser.parse(words);
    if (const auto* answer = std::get_if<Answer>(&parsed)) {
      out << answer->text;
      return 0;
    }
    if (const auto* problem = std::get_if<UsageProblem>(&parsed)) return usage_error(*problem, err);
    session.compile_filter();
    refuse_missing_history(session);
    const core::ExitCode code = session.action();
    out.flush();
    if (!out) throw Error(ErrorKind::io, "the output could not be written", {}, "check the disk or the pipe");
    return static_cast<int>(code);
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
