#include "store/open.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <system_error>

#include "store/copy_pages.hpp"
#include "store/file_system.hpp"
#include "store/migrations.hpp"
#include "store/transaction.hpp"

namespace opgate::store {
namespace {

namespace fs = std::filesystem;

// A report of a long history comes back to the same pages; SQLite's usual 2 MB forget them.
constexpr const char* kReaderCache = "PRAGMA cache_size = -262144";

// SQLite would wait for a pipe, and leave a journal beside a device.
void refuse_what_is_no_file(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) {
    throw Error(ErrorKind::history, "this is a folder, not a history file", path.string(),
                "name the file itself, for example " + (path / "history.sqlite").string());
  }
  if (fs::is_other(status)) {
    throw Error(ErrorKind::history, "this is a device, a pipe or a socket, not a history file", path.string(),
                "name a file on a local disk");
  }
}

void make_parent(const fs::path& path) {
  std::error_code failure;
  const fs::path parent = fs::absolute(path).parent_path();
  fs::create_directories(parent, failure);
  if (failure) {
    throw Error(ErrorKind::history, "its folder cannot be made: " + failure.message(), path.string(),
                "make " + parent.string() + " a folder that this user can write, or name another file with --history");
  }
}

// The switch needs the file for itself for a moment, and SQLite does not call the busy handler for it.
void use_write_ahead_log(Connection& connection, std::chrono::milliseconds busy_timeout) {
  const auto deadline = std::chrono::steady_clock::now() + busy_timeout;
  int code = SQLITE_OK;
  do {
    code = sqlite3_exec(connection.handle(), "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr);
  } while ((code & 0xff) == SQLITE_BUSY && std::chrono::steady_clock::now() < deadline && sqlite3_sleep(5) >= 0);
  if (code != SQLITE_OK) {
    throw connection.error(code);
  }
  Query mode = connection.query("PRAGMA journal_mode");
  if (!mode.step() || mode.text(0) != "wal") {
    throw Error(ErrorKind::history, "its file system does not allow a write-ahead log", connection.path().string(),
                "keep the history on a local disk");
  }
}

// In one snapshot: another process may be creating the history right now.
void check_schema_once(Connection& connection, bool may_be_new) {
  const Transaction snapshot(connection, Transaction::Kind::read);
  check_schema(connection, may_be_new);
}

bool folder_is_read_only(const fs::path& path) {
  return ::access(fs::absolute(path).parent_path().c_str(), W_OK) != 0;
}

// Of a history that nobody writes, as an archive on a share is, nothing needs shared memory.
OpenMode reading_mode(const fs::path& path) {
  const std::string network = network_file_system_of(path);
  if (network.empty() && !folder_is_read_only(path)) {
    return OpenMode::read_only;
  }
  std::error_code ignored;
  const fs::path log = path.string() + "-wal";
  // Readers leave an empty log behind; with its shared memory gone as well, nobody is using it.
  const bool has_log =
      fs::exists(log, ignored) && (fs::file_size(log, ignored) > 0 || fs::exists(path.string() + "-shm", ignored));
  if (has_log && !network.empty()) {
    throw network_refused(path, network);
  }
  return has_log ? OpenMode::read_only : OpenMode::immutable;
}

// A history of before schema 7 is read from a private copy in today's schema: readers change nothing, and the file may
// be an archive.
std::unique_ptr<Connection> migrated_copy(Connection& older, std::chrono::milliseconds busy_timeout) {
  auto copy = std::make_unique<Connection>(older.path(), OpenMode::scratch, busy_timeout);
  copy_pages(older, *copy);
  migrate(*copy);
  copy->execute("PRAGMA query_only = ON");
  return copy;
}

}  // namespace

std::unique_ptr<Connection> open_writer(const fs::path& path, std::chrono::milliseconds busy_timeout) {
  refuse_what_is_no_file(path);
  if (const std::string network = network_file_system_of(path); !network.empty()) {
    throw network_refused(path, network);
  }
  make_parent(path);
  auto connection = std::make_unique<Connection>(path, OpenMode::create, busy_timeout);
  check_schema_once(*connection, true);
  if (sqlite3_db_readonly(connection->handle(), "main") != 0) {
    throw connection->error(SQLITE_READONLY);
  }
  use_write_ahead_log(*connection, busy_timeout);
  connection->execute("PRAGMA synchronous = FULL");
  migrate(*connection);
  // After migrating: what it copies between tables need not be looked up row by row.
  connection->execute("PRAGMA foreign_keys = ON");
  connection->allow_checkpoint_on_close(true);
  return connection;
}

std::unique_ptr<Connection> open_reader_of_older(const fs::path& path, std::chrono::milliseconds busy_timeout) {
  std::error_code unreadable;
  if (!fs::exists(path, unreadable)) {
    throw Error(ErrorKind::history,
                unreadable ? "the history cannot be reached: " + unreadable.message() : "there is no history here",
                path.string(), "run a case first, or name an existing history with --history or OPGATE_HISTORY");
  }
  refuse_what_is_no_file(path);
  auto connection = std::make_unique<Connection>(path, reading_mode(path), busy_timeout);
  connection->execute(kReaderCache);
  check_schema_once(*connection, false);
  return connection;
}

std::unique_ptr<Connection> open_reader(const fs::path& path, std::chrono::milliseconds busy_timeout) {
  auto connection = open_reader_of_older(path, busy_timeout);
  const std::int64_t version = connection->pragma("user_version");
  if (version < migrations().front()->version) {
    throw Error(ErrorKind::history, fmt::format("the history has schema {}, which no opgate wrote", version),
                path.string(), "restore a copy made by `opgate backup`, or name another file with --history");
  }
  if (version < 7) return migrated_copy(*connection, busy_timeout);
  if (version == 7) connection->execute(kSeriesOfSchema7);
  if (version < 9) connection->execute(kCeilingsOfSchema8);
  if (version < 10) connection->execute(kSealsOfSchema9);
  return connection;
}

}  // namespace opgate::store
