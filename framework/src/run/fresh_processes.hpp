#pragma once

#include <chrono>
#include <functional>

#include "core/result.hpp"

namespace opgate::run {

// The process of the reading: 1, 2, ...
using StartWorker = std::function<core::Attempt(int process)>;

// One reading by that many workers, one after the other. What ends it before the last: a worker without a number or
// whose samples cannot be put together with those before, a signal to stop, and a deadline that leaves the next one
// less time than the one before took.
[[nodiscard]] core::Attempt read_in_processes(int processes, std::chrono::steady_clock::time_point deadline,
                                              const StartWorker& start_worker);

// What another such reading needs: what this one took, and once more what one of its processes took.
[[nodiscard]] std::chrono::nanoseconds time_for_another(const core::Attempt& reading);

}  // namespace opgate::run
