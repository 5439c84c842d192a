#pragma once

#include <chrono>
#include <filesystem>
#include <memory>

#include "store/sqlite.hpp"

namespace opgate::store {

// Creates and migrates; WAL, synchronous=FULL, foreign keys.
[[nodiscard]] std::unique_ptr<Connection> open_writer(const std::filesystem::path& path,
                                                      std::chrono::milliseconds busy_timeout);
// Never creates a history. In a folder that cannot be written a history without a write-ahead log is read as an
// immutable file, because SQLite cannot make the shared memory it wants beside it.
[[nodiscard]] std::unique_ptr<Connection> open_reader(const std::filesystem::path& path,
                                                      std::chrono::milliseconds busy_timeout);
// The same, for a history of this or an older schema.
[[nodiscard]] std::unique_ptr<Connection> open_reader_of_older(const std::filesystem::path& path,
                                                               std::chrono::milliseconds busy_timeout);

}  // namespace opgate::store
