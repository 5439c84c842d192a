#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "opgate/error.hpp"

namespace opgate::text {

// Of one that people write and review: as JSON it takes at most about 1 GiB of memory, together with kMostValues.
inline constexpr std::size_t kLargestFile = std::size_t{64} << 20U;

// Whole file; Error(kind) naming the path and the system's reason, or that it is larger than `most_bytes`.
[[nodiscard]] std::string read_file(const std::filesystem::path& path, ErrorKind kind,
                                    std::size_t most_bytes = kLargestFile, const char* remedy = "split the file");
// Temporary file, fsync, rename: readers see the old or the new text. Pipes and devices are written to, databases
// refused.
void write_file(const std::filesystem::path& path, std::string_view content, ErrorKind kind);
// What write_file would refuse now, before the work whose result it is to keep. Leaves the path as it is.
void check_writable(const std::filesystem::path& path, ErrorKind kind);

}  // namespace opgate::text
