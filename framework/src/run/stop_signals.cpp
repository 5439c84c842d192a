#include "run/stop_signals.hpp"

namespace opgate::run {
namespace {

volatile std::sig_atomic_t requested = 0;
int nested = 0;

void request_stop(int) {
  requested = 1;
}

}  // namespace

StopSignals::StopSignals() {
  if (nested++ == 0) {
    requested = 0;
  }
  struct sigaction action {};
  action.sa_handler = request_stop;
  sigaction(SIGINT, &action, &interrupt_);
  sigaction(SIGTERM, &action, &terminate_);
  // A parent that ignores SIGCHLD hands that on, and then the kernel keeps no end of a child.
  action.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &action, &child_);
}

StopSignals::~StopSignals() {
  sigaction(SIGINT, &interrupt_, nullptr);
  sigaction(SIGTERM, &terminate_, nullptr);
  sigaction(SIGCHLD, &child_, nullptr);
  --nested;
}

bool stop_requested() noexcept {
  return requested != 0;
}

}  // namespace opgate::run
