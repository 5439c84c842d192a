#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace opgate::run {

// The run that `opgate.machine` opened for one ctest process. The file is named after that process and its host, whose
// children the fixtures and the cases are: two ctest processes in one build tree never share a run, not even on two
// hosts that share the disk, and a case started by hand has none.
struct OpenRun {
  std::int64_t id = 0;
  std::filesystem::path history;
  std::string ctest_start;  // of start_of_process
};

// The name of this machine; "" where it has none.
[[nodiscard]] std::string host_name();

// When a process started, in ticks since boot: with its number, what tells it from every other. "" when it is gone.
[[nodiscard]] std::string start_of_process(pid_t process);

[[nodiscard]] std::filesystem::path open_run_path(const std::filesystem::path& build_dir, pid_t ctest);
void write_open_run(const std::filesystem::path& path, const OpenRun& run);
// Forgets the run that this process had, and those of this host's processes that are no more: of other hosts' ones
// nobody here can tell.
void remove_left_behind(const std::filesystem::path& build_dir, pid_t ctest);
// The run of this ctest process; absent when it has none. One that a killed process of the same number left is not its.
[[nodiscard]] std::optional<OpenRun> open_run_of(const std::filesystem::path& build_dir, pid_t ctest);
// Absent when there is no such file; Error(history) when it cannot be read.
[[nodiscard]] std::optional<OpenRun> read_open_run(const std::filesystem::path& path);

}  // namespace opgate::run
