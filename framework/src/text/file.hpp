#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "opgate/error.hpp"

namespace opgate::text {

// Whole file; Error(kind) naming the path and the system's reason.
[[nodiscard]] std::string read_file(const std::filesystem::path& path, ErrorKind kind);
// Temporary file beside it, fsync, rename: readers see the old or the new text, never half of one.
void write_file(const std::filesystem::path& path, std::string_view content, ErrorKind kind);

}  // namespace opgate::text
