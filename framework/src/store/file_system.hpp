#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "opgate/error.hpp"

namespace opgate::store {

// "nfs", "smb", ...: the name of a network file system by its type in statfs(2); "" for any other. SQLite's write-ahead
// log needs memory that all its users share, which these do not give (https://sqlite.org/wal.html), and their locks may
// not hold. A FUSE file system does not tell whether a network is behind it, and passes.
[[nodiscard]] std::string network_name(std::int64_t type);
// Of the file, or of the nearest folder above it that exists.
[[nodiscard]] std::string network_file_system_of(const std::filesystem::path& path);
[[nodiscard]] Error network_refused(const std::filesystem::path& path, const std::string& name);

}  // namespace opgate::store
