#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>

namespace opgate::run {

// The run that `opgate.machine` opened for one ctest process. The file is named after that process, whose children the
// fixtures and the cases are: two ctest processes in one build tree never share a run, and a case started by hand has
// none.
struct OpenRun {
  std::int64_t id = 0;
  std::filesystem::path history;
};

[[nodiscard]] std::filesystem::path open_run_path(const std::filesystem::path& build_dir, pid_t ctest);
void write_open_run(const std::filesystem::path& path, const OpenRun& run);
// Absent when there is no such file; Error(history) when it cannot be read.
[[nodiscard]] std::optional<OpenRun> read_open_run(const std::filesystem::path& path);

}  // namespace opgate::run
