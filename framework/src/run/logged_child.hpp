#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "run/child.hpp"

namespace opgate::run {

// Starts the program as a direct child of this process, with what it prints in a file, and waits for its end. At the
// deadline, and when this process is told to stop, it gets SIGTERM, and SIGKILL some seconds later.
// Error(io) when it cannot be started.
[[nodiscard]] ChildEnd run_logged(const ChildCommand& command, const std::filesystem::path& log,
                                  std::chrono::steady_clock::time_point deadline);

}  // namespace opgate::run
