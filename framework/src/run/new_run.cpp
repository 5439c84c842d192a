#include "run/new_run.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

#include "opgate/error.hpp"
#include "run/command.hpp"
#include "run/ctest_run.hpp"
#include "run/wall_clock.hpp"

namespace opgate::run {
namespace {

constexpr std::int64_t kLookedAt = 50;  // one that was not imported tells of all

// Sources may be copied into a repository that is not theirs, whose HEAD then tells nothing of them. Only a full id
// counts, because an abbreviation may be unknown for being mistyped.
bool is_foreign(const std::string& commit, const Project& project) {
  constexpr std::size_t kFullId = 40;
  const bool full = commit.size() == kFullId && commit.find_first_not_of("0123456789abcdef") == std::string::npos;
  return full &&
         capture({"git", "-C", project.source_dir.string(), "cat-file", "-e", commit + "^{commit}"}).exit_status != 0;
}

}  // namespace

store::RunInfo new_run(const std::string& origin, bool replayed, const std::optional<Project>& project,
                       const std::string& label) {
  store::RunInfo run;
  run.origin = replayed ? "replay" : origin;
  run.replayed = replayed;
  run.started_unix_ms = unix_ms();
  run.label = label;
  run.host = host_name();
  if (project) {
    const std::string source = project->source_dir.string();
    // Without --verify git prints "HEAD" where there is no commit yet.
    const CapturedCommand head = capture({"git", "-C", source, "rev-parse", "--verify", "--quiet", "HEAD"});
    run.commit = head.exit_status == 0 ? first_line(head.output) : "";
    run.dirty = !run.commit.empty() &&
                !capture({"git", "-C", source, "status", "--porcelain", "--untracked-files=no"}).output.empty();
  }
  const char* const named = std::getenv("OPGATE_COMMIT");
  if (named != nullptr && (run.commit.empty() || (project && is_foreign(named, *project)))) {
    run.commit = named;  // sources that were copied here without their repository
    run.dirty = false;
  }
  // No commit builds what such a tree measures, so no baseline may come of it.
  run.dirty = run.dirty || (project && project->altered);
  return run;
}

std::int64_t open_separate_run(store::History& history, const store::RunInfo& run) {
  const std::vector<store::RunInfo> newest = history.runs(kLookedAt);
  const auto ours = std::find_if(newest.begin(), newest.end(), [](const auto& one) { return one.origin != "import"; });
  if (ours != newest.end() && ours->replayed != run.replayed) {
    throw Error(ErrorKind::history,
                run.replayed ? "it holds measured runs, among which replayed ones must not come"
                             : "it holds replayed runs, among which measured ones must not come",
                history.path().string(),
                run.replayed ? "name another history with --history, or unset OPGATE_REPLAY"
                             : "name another history with --history or OPGATE_HISTORY");
  }
  return history.open_run(run);
}

}  // namespace opgate::run
