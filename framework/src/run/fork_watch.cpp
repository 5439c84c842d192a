#include "run/fork_watch.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <atomic>
#include <cstdlib>

#include "core/exit_code.hpp"
#include "opgate/error.hpp"

namespace opgate::run {
namespace {

std::atomic<int> forks{0};
std::atomic<bool> child{false};

void in_parent() {
  ++forks;
}
void in_child() {
  child = true;
}

}  // namespace

void watch_forks() {
  // Handlers cannot be taken back, so there is one pair for the life of the process.
  static const int failed = ::pthread_atfork(nullptr, in_parent, in_child);
  if (failed != 0) {
    throw Error(ErrorKind::op, "pthread_atfork failed", "start", "free some memory");
  }
}

int forks_seen() noexcept {
  return forks;
}

void refuse_forks(int before) {
  end_forked_child();
  if (const int count = forks_seen() - before; count > 0) {
    throw Error(ErrorKind::op,
                fmt::format("the op forked this process {} in its calls, and a copy of it may have used the GPU beside "
                            "the measurement",
                            count == 1 ? "once" : fmt::format("{} times", count)),
                "processes", "start other processes before the call, in set_up(), or with posix_spawn()");
  }
}

void end_forked_child() noexcept {
  if (child) {
    std::_Exit(static_cast<int>(core::ExitCode::cannot_run));
  }
}

}  // namespace opgate::run
