#include "run/new_run.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "opgate/error.hpp"
#include "run/command.hpp"
#include "run/ctest_run.hpp"
#include "run/wall_clock.hpp"

namespace opgate::run {
namespace {

constexpr std::int64_t kLookedAt = 50;  // one that was not imported tells of all

// What git says of the sources. `git status` would write the index anew, under a lock that stays behind when it is
// killed and keeps everybody from committing.
CapturedCommand git(const Project& project, std::vector<std::string> words) {
  words.insert(words.begin(), {"git", "--no-optional-locks", "-C", project.source_dir.string()});
  return capture(words);
}

// Sources may be copied into a repository that is not theirs, whose HEAD then tells nothing of them. Only a full id
// counts, because an abbreviation may be unknown for being mistyped.
bool is_foreign(const std::string& commit, const Project& project) {
  constexpr std::size_t kFullId = 40;
  const bool full = commit.size() == kFullId && commit.find_first_not_of("0123456789abcdef") == std::string::npos;
  return full && git(project, {"cat-file", "-e", commit + "^{commit}"}).exit_status != 0;
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
    // Without --verify git prints "HEAD" where there is no commit yet.
    const CapturedCommand head = git(*project, {"rev-parse", "--verify", "--quiet", "HEAD"});
    run.commit = head.exit_status == 0 ? first_line(head.output) : "";
    run.dirty = !run.commit.empty() && !git(*project, {"status", "--porcelain", "--untracked-files=no"}).output.empty();
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
