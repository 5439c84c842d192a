#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace opgate::run {

// The environment variables that users and presets set; read once, in app.
struct Environment {
  bool require_gpu = false;                     // OPGATE_REQUIRE_GPU=1
  bool require_baseline = false;                // OPGATE_REQUIRE_BASELINE=1
  bool inconclusive_is_warning = false;         // OPGATE_INCONCLUSIVE=warn
  bool resource_groups = false;                 // OPGATE_RESOURCE_GROUPS=1, set by the tests CMake registers
  std::optional<std::filesystem::path> replay;  // OPGATE_REPLAY: folder of recorded traces
  // OPGATE_REPLAY_HISTORY: where ctest puts replayed results, instead of the project's history
  std::optional<std::filesystem::path> replay_history;
};

// Error(usage) for a value that is none of those documented: OPGATE_REQUIRE_GPU=yes must not read as no.
[[nodiscard]] Environment read_environment();

}  // namespace opgate::run
