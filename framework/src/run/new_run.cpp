#include "run/new_run.hpp"

#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>

#include "run/command.hpp"

namespace opgate::run {

std::int64_t unix_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

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
  return run;
}

}  // namespace opgate::run
