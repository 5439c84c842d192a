#pragma once

#include <filesystem>
#include <string>

namespace opgate::run {

// What a CMakeCache.txt says of how a project is built.
struct CachedOptions {
  std::string generator;      // "Ninja"; empty when it says none
  std::string initial_cache;  // a script for cmake -C
};

// The options of `cache` for the same project in `new_source`: paths into the old sources lead into the new ones, and
// entries that lead into the old build folder are left for CMake to find again.
[[nodiscard]] CachedOptions cached_options(const std::string& cache, const std::filesystem::path& source_dir,
                                           const std::filesystem::path& build_dir,
                                           const std::filesystem::path& new_source);

}  // namespace opgate::run
