#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace opgate::run {

// What of an executable or library reaches memory: every allocated section with its place, flags and content. Left out
// are debug information, symbols for tools, comments, and the build id, which is made from all of those. Absent when
// the bytes are no whole 64-bit little-endian ELF file with sections.
[[nodiscard]] std::optional<std::string> loaded_image(std::string_view file);

// nvcc names what stands in an unnamed namespace after the path of its file, and, in a file that defines nothing else,
// after the number of the compiler's process as well: "_GLOBAL__N__a1a69146_6_add_cu_246a6317_11235". Such marks say
// nothing of the code. Zeroes them; that works where the process numbers have equally many digits and device code is
// not compressed (nvcc --no-compress). loaded_image() has done it.
void forget_place_of_build(std::string& image);

}  // namespace opgate::run
