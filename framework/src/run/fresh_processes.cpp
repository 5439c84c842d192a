#include "run/fresh_processes.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "core/pooled.hpp"
#include "run/stop_signals.hpp"

namespace opgate::run {
namespace {

using Clock = std::chrono::steady_clock;

core::Attempt not_started(core::Attempt attempt, std::string why) {
  attempt.status = core::Status::failed;
  attempt.error = ErrorKind::op;
  attempt.phase = "start";
  attempt.message = std::move(why);
  return attempt;
}

}  // namespace

core::Attempt read_in_processes(int processes, Clock::time_point deadline, const StartWorker& start_worker) {
  // Held over them all: a signal that comes while a worker with a result ends is one between two of them.
  const StopSignals signals;
  std::vector<core::Attempt> read{start_worker(1)};
  core::Attempt reading = core::pooled(read);
  for (int process = 2; process <= processes && reading.status == core::Status::measured; ++process) {
    if (stop_requested()) {
      return not_started(reading, fmt::format("the case was told to stop (SIGINT or SIGTERM) before fresh process {} "
                                              "of the {} of a reading",
                                              process, processes));
    }
    if (Clock::now() + std::chrono::nanoseconds(read.back().wall_ns) > deadline) {
      return not_started(reading,
                         fmt::format("timeout_s leaves no time for fresh process {} of the {} of a reading\n  fix: "
                                     "raise timeout_s in the spec, or lower processes",
                                     process, processes));
    }
    read.push_back(start_worker(process));
    reading = core::pooled(read);
  }
  return reading;
}

std::chrono::nanoseconds time_for_another(const core::Attempt& reading) {
  return std::chrono::nanoseconds(reading.wall_ns + reading.wall_ns / reading.processes);
}

}  // namespace opgate::run
