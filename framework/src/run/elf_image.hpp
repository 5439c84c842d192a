#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace opgate::run {

// What of an executable or library reaches memory: every allocated section with its place, flags and content. Left out
// are debug information, symbols for tools, comments, and the build id, which is made from all of those. Absent when
// the bytes are no whole 64-bit little-endian ELF file with sections.
[[nodiscard]] std::optional<std::string> loaded_image(std::string_view file);

}  // namespace opgate::run
