#include "run/fresh_processes.hpp"

#include <fmt/format.h>

#include <vector>

#include "core/pooled.hpp"

namespace opgate::run {
namespace {

core::Attempt out_of_time(core::Attempt attempt, int process, int processes) {
  attempt.status = core::Status::failed;
  attempt.error = ErrorKind::op;
  attempt.phase = "start";
  attempt.message = fmt::format(
      "timeout_s leaves no time for fresh process {} of the {} of a reading\n  fix: raise timeout_s in the spec, or "
      "lower processes",
      process, processes);
  return attempt;
}

}  // namespace

core::Attempt read_in_processes(int processes, std::chrono::steady_clock::time_point deadline,
                                const StartWorker& start_worker) {
  std::vector<core::Attempt> read;
  for (int process = 1; process <= processes; ++process) {
    if (!read.empty() && std::chrono::steady_clock::now() + std::chrono::nanoseconds(read.back().wall_ns) > deadline) {
      return out_of_time(core::pooled(read), process, processes);
    }
    read.push_back(start_worker(process));
    if (read.back().status != core::Status::measured) {
      break;
    }
  }
  return core::pooled(read);
}

}  // namespace opgate::run
