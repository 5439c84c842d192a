#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace opgate::app {

// All <device>/<op>.json of a baselines folder, sorted. Error(baseline) when the folder cannot be read; none when it
// does not exist.
[[nodiscard]] std::vector<std::filesystem::path> baseline_files(const std::filesystem::path& folder);
// All *.json of a specs folder but the schema, sorted. Error(spec) when it cannot be read.
[[nodiscard]] std::vector<std::filesystem::path> spec_files(const std::filesystem::path& folder);

}  // namespace opgate::app
