#include "run/worker_process.hpp"

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <utility>

#include "run/attempt_json.hpp"
#include "run/fork_watch.hpp"
#include "run/wall_clock.hpp"

namespace opgate::run {
namespace {

using Clock = std::chrono::steady_clock;
constexpr const char* kPhase = "phase ";
constexpr const char* kResult = "result ";

std::int64_t nanoseconds(Clock::duration duration) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count();
}

bool starts_with(const std::string& line, const char* prefix) {
  return line.rfind(prefix, 0) == 0;
}

std::string how_it_ended(const ChildEnd& end, Clock::duration lasted) {
  const double seconds = static_cast<double>(nanoseconds(lasted)) / 1e9;
  if (end.interrupted) {
    return "the case was told to stop (SIGINT or SIGTERM)";
  }
  if (end.timed_out) {
    return fmt::format("the worker hung: it was killed after {:.1f} s, the time the spec's timeout_s leaves it",
                       seconds);
  }
  if (end.signal) {
    return fmt::format("the worker was killed by signal {} ({})", *end.signal, ::strsignal(*end.signal));
  }
  if (end.exit_status == 127) {
    return "the worker could not be started";
  }
  return fmt::format("the worker exited with status {} before it had a result", end.exit_status.value_or(-1));
}

}  // namespace

core::Attempt run_worker(const ChildCommand& command, Clock::time_point deadline) {
  std::string phase = "start";
  std::optional<core::Attempt> told;
  const Clock::time_point began = Clock::now();
  const std::int64_t began_unix_ms = unix_ms();
  const ChildEnd end = run_child(command, deadline, [&](const std::string& line) {
    if (starts_with(line, kPhase)) {
      phase = line.substr(std::strlen(kPhase));
    } else if (starts_with(line, kResult)) {
      told = parse_attempt(line.substr(std::strlen(kResult)));
    }
  });
  const Clock::duration lasted = Clock::now() - began;
  core::Attempt attempt;
  if (told) {
    attempt = std::move(*told);
    attempt.phase_wall_ns["process"] = nanoseconds(lasted) - attempt.wall_ns;
  } else {
    attempt.status = core::Status::failed;
    attempt.error = ErrorKind::op;
    attempt.phase = phase;
    attempt.message = how_it_ended(end, lasted);
  }
  attempt.started_unix_ms = began_unix_ms;
  attempt.wall_ns = nanoseconds(lasted);
  return attempt;
}

void send_phase(int descriptor, const std::string& phase) {
  end_forked_child();
  send_line(descriptor, kPhase + phase);
}

void send_result(int descriptor, const core::Attempt& attempt) {
  end_forked_child();
  send_line(descriptor, kResult + format_attempt(attempt));
}

}  // namespace opgate::run
