#include "run/new_run.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <vector>

#include "opgate/error.hpp"
#include "run/command.hpp"
#include "run/wall_clock.hpp"

namespace opgate::run {
namespace {

constexpr std::int64_t kLookedAt = 50;  // one that was not imported tells of all

}  // namespace

store::RunInfo new_run(const std::string& origin, bool replayed, const std::optional<Project>& project,
                       const std::string& label) {
  store::RunInfo run;
  run.origin = replayed ? "replay" : origin;
  run.replayed = replayed;
  run.started_unix_ms = unix_ms();
  run.label = label;
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) == 0) {
    run.host = host.data();
  }
  if (project) {
    const std::string source = project->source_dir.string();
    // Without --verify git prints "HEAD" where there is no commit yet.
    const CapturedCommand head = capture({"git", "-C", source, "rev-parse", "--verify", "--quiet", "HEAD"});
    run.commit = head.exit_status == 0 ? first_line(head.output) : "";
    run.dirty = !run.commit.empty() &&
                !capture({"git", "-C", source, "status", "--porcelain", "--untracked-files=no"}).output.empty();
  }
  if (const char* const commit = std::getenv("OPGATE_COMMIT"); run.commit.empty() && commit != nullptr) {
    run.commit = commit;  // sources that were copied here without their repository
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
