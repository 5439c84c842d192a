#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>

#include "app/command_result.hpp"
#include "app/command_table.hpp"
#include "app/command_text.hpp"
#include "app/command_timeline.hpp"
#include "app/session_terminal.hpp"
#include "opgate/error.hpp"
#include "report/console.hpp"
#include "report/kernels.hpp"
#include "text/suggest.hpp"

namespace opgate::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* kImported = "import";

struct Words {
  std::string name;
  std::optional<std::int64_t> run;
  TimelineWords timeline;
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

// As it is typed from the current folder.
std::string shown(const fs::path& path) {
  std::error_code problem;
  const fs::path near = fs::proximate(path, problem);
  return problem || near.empty() || *near.begin() == ".." ? path.string() : near.string();
}

// Nothing here can run a reading that was imported again.
report::NextSteps next_steps(const Session& session, const store::History& history, const store::RunInfo& run,
                             const store::CaseResult& result) {
  report::NextSteps next;
  const std::string& name = result.identity.name;
  const std::string pattern = "'^" + name + "$'";
  if (run.origin != kImported && session.project()) {
    next.reproduce = fmt::format("ctest --test-dir {} -R {}", shown(session.project()->build_dir), pattern);
  }
  std::error_code problem;
  const fs::path self = fs::read_symlink("/proc/self/exe", problem);
  const std::string program = problem ? "opgate" : shown(self);
  next.accept = fmt::format("{} baseline accept --last 5 --filter {} --reason \"...\"", program, pattern);
  if (const std::string words = kept_timeline_words(history, result); !words.empty())
    next.timeline = program + " " + words;
  return next;
}

core::ExitCode run_show(const Session& session, const Words& words) {
  if (!words.timeline.trace.empty()) return show_trace(session, words.name, words.timeline);
  const store::History history = session.read_history();
  if (words.run) (void)require_run(history, words.run);
  const store::CaseResult result = wanted_result(history, words);
  if (!words.timeline.file.empty()) return show_kept(session, history, result, words.timeline);
  const store::RunInfo run = require_run(history, result.run_id);
  if (session.json) {
    session.print(json_of(run, result, true));
    return core::ExitCode::pass;
  }
  session.out() << fmt::format("run {} of {}{}\n", run.id, utc(run.started_unix_ms),
                               run.commit.empty() ? "" : ", commit " + run.commit)
                << report::case_block(result, next_steps(session, history, run, result), terminal_of(session).colour,
                                      terminal_of(session).width)
                << report::kernels_block(result);
  return core::ExitCode::pass;
}

}  // namespace

void add_show(Command app, Session& session) {
  auto words = std::make_shared<Words>();
  Command show = app.subcommand("show", "Show the newest result of a case");
  show.option("CASE", words->name, "Case name, e.g. gemm.decode-1.f16").required();
  show.option("--run", words->run, "The result of this run instead").type_name("N");
  add_timeline_options(show, words->timeline);
  show.callback([words, &session] { session.action = [words, &session] { return run_show(session, *words); }; });
}

}  // namespace opgate::app
