#pragma once

#include <chrono>
#include <functional>

#include "core/result.hpp"

namespace opgate::run {

// The process of the reading: 1, 2, ...
using StartWorker = std::function<core::Attempt(int process)>;

// One reading by that many workers, one after the other. A worker without a number ends it, and so does a deadline
// that leaves the next one less time than the one before took.
[[nodiscard]] core::Attempt read_in_processes(int processes, std::chrono::steady_clock::time_point deadline,
                                              const StartWorker& start_worker);

}  // namespace opgate::run
