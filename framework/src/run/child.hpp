#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace opgate::run {

// How a worker process ended.
struct ChildEnd {
  std::optional<int> exit_status;
  std::optional<int> signal;
  bool timed_out = false;    // killed by us at the deadline
  bool interrupted = false;  // killed because this process was told to stop (SIGINT, SIGTERM)
};

struct ChildCommand {
  std::filesystem::path program{};                               // empty: this executable
  std::vector<std::string> arguments;                            // after the program's own name
  std::vector<std::pair<std::string, std::string>> environment;  // set or replaced in the child
  std::vector<int> inherited{};                                  // descriptors that the child gets, by the same numbers
};

// Starts the program with `--worker-fd N` added, and hands every line the child writes to that descriptor to
// `on_line`. The child leads a process group of its own, which is killed at the deadline, when this process is told to
// stop, and, should it outlive the child, at its end; the kernel kills the child should this process die.
// Error(io) when the child cannot be started.
[[nodiscard]] ChildEnd run_child(const ChildCommand& command, std::chrono::steady_clock::time_point deadline,
                                 const std::function<void(const std::string& line)>& on_line);

// In the child: writes one line to the supervisor. A supervisor that is gone ends the worker.
void send_line(int descriptor, const std::string& line);

}  // namespace opgate::run
