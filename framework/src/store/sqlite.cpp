#include "store/sqlite.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <bit>
#include <cctype>
#include <utility>

namespace opgate::store {
namespace {

// SQLite reads '?', '#' and '%' of a file URI as its own.
std::string uri_of(const std::filesystem::path& path, OpenMode mode) {
  std::string uri = "file:";
  for (const char c : std::filesystem::absolute(path).string()) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '/' || c == '.' || c == '-' || c == '_') {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", byte);
    }
  }
  return mode == OpenMode::immutable ? uri + "?immutable=1" : uri;
}

std::string remedy_for(int primary) {
  switch (primary) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "end the process that holds the history (fuser names it), then run again";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return "restore a copy made by `opgate backup`, or name another file with --history; this one was left as it is";
    case SQLITE_FULL:
      return "free space on its disk, then run again";
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_READONLY:
    case SQLITE_AUTH:
      return "make the file and its folder writable for this user, or name another file with --history";
    case SQLITE_IOERR:
      return "check the disk, then run again";
    default:
      return "restore a copy made by `opgate backup`, or name another file with --history";
  }
}

std::string problem_of(int code, const std::string& detail, std::chrono::milliseconds busy_timeout) {
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return busy_timeout >= std::chrono::seconds(1)
                 ? fmt::format("another process has kept the history locked for {} s",
                               std::chrono::duration_cast<std::chrono::seconds>(busy_timeout).count())
                 : fmt::format("another process has kept the history locked for {} ms", busy_timeout.count());
    case SQLITE_CORRUPT:
      return fmt::format("the history is damaged ({})", detail);
    case SQLITE_NOTADB:
      return "this is no SQLite database, or its beginning is damaged";
    case SQLITE_CANTOPEN:
      return fmt::format("the history cannot be opened ({})", detail);
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return fmt::format("the history cannot be written ({})", detail);
    default:
      return fmt::format("SQLite refused ({})", detail);
  }
}

}  // namespace

Query::Query(Query&& other) noexcept
    : connection_(other.connection_), statement_(std::exchange(other.statement_, nullptr)), bound_(other.bound_) {}

Query::~Query() {
  if (statement_ == nullptr) {
    return;
  }
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
  const auto [place, kept] = connection_->idle_.try_emplace(sqlite3_sql(statement_), statement_);
  if (!kept) {
    sqlite3_finalize(statement_);
  }
}

void Query::check(int code) const {
  if (code != SQLITE_OK) {
    throw connection_->error(code);
  }
}

Query& Query::bind(std::int64_t value) {
  check(sqlite3_bind_int64(statement_, ++bound_, value));
  return *this;
}

Query& Query::bind(double value) {
  check(sqlite3_bind_double(statement_, ++bound_, value));
  return *this;
}

Query& Query::bind(const std::string& value) {
  check(sqlite3_bind_text64(statement_, ++bound_, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Query& Query::bind(std::span<const std::byte> value) {
  check(sqlite3_bind_blob64(statement_, ++bound_, value.data(), value.size(), SQLITE_TRANSIENT));
  return *this;
}

Query& Query::bind_null() {
  check(sqlite3_bind_null(statement_, ++bound_));
  return *this;
}

bool Query::step() {
  const int code = sqlite3_step(statement_);
  if (code != SQLITE_ROW && code != SQLITE_DONE) {
    throw connection_->error(code);
  }
  return code == SQLITE_ROW;
}

void Query::run() {
  while (step()) {
  }
}

bool Query::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::int64_t Query::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

double Query::real(int column) const {
  return sqlite3_column_double(statement_, column);
}

std::string Query::text(int column) const {
  const auto* const data = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return data == nullptr ? std::string{} : std::string(data, size);
}

std::span<const std::byte> Query::blob(int column) const {
  const auto* const data = static_cast<const std::byte*>(sqlite3_column_blob(statement_, column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return {data, data == nullptr ? 0 : size};
}

std::string Query::row_bytes() const {
  std::string bytes;
  const auto add = [&](std::uint64_t word) {
    for (unsigned i = 0; i < sizeof word; ++i) bytes += static_cast<char>(word >> (8 * i) & 0xffU);
  };
  const int columns = sqlite3_data_count(statement_);
  for (int column = 0; column < columns; ++column) {
    const int type = sqlite3_column_type(statement_, column);
    bytes += static_cast<char>(type);
    if (type == SQLITE_INTEGER) {
      add(static_cast<std::uint64_t>(integer(column)));
    } else if (type == SQLITE_FLOAT) {
      add(std::bit_cast<std::uint64_t>(real(column)));
    } else if (type != SQLITE_NULL) {
      const std::span<const std::byte> value = blob(column);
      add(value.size());
      bytes.append(reinterpret_cast<const char*>(value.data()), value.size());
    }
  }
  return bytes;
}

std::optional<std::int64_t> Query::optional_integer(int column) const {
  return is_null(column) ? std::nullopt : std::optional(integer(column));
}

std::optional<double> Query::optional_real(int column) const {
  return is_null(column) ? std::nullopt : std::optional(real(column));
}

std::optional<std::string> Query::optional_text(int column) const {
  return is_null(column) ? std::nullopt : std::optional(text(column));
}

Connection::Connection(const std::filesystem::path& path, OpenMode mode, std::chrono::milliseconds busy_timeout)
    : path_(path), busy_timeout_(busy_timeout) {
  const bool writes = mode == OpenMode::create || mode == OpenMode::scratch;
  const int access = writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  // No name: a temporary file that SQLite removes.
  const std::string name = mode == OpenMode::scratch ? "" : uri_of(path, mode);
  const int code = sqlite3_open_v2(name.c_str(), &database_, access | SQLITE_OPEN_URI, nullptr);
  if (code != SQLITE_OK) {
    const Error failure = error(code);
    close();
    throw failure;
  }
  sqlite3_extended_result_codes(database_, 1);
  // A history may come from elsewhere: nothing in its schema may call what has side effects.
  sqlite3_db_config(database_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_busy_timeout(database_, static_cast<int>(busy_timeout.count()));
  allow_checkpoint_on_close(false);
}

Connection::~Connection() {
  close();
}

void Connection::close() noexcept {
  for (const auto& [sql, statement] : idle_) {
    sqlite3_finalize(statement);
  }
  idle_.clear();
  sqlite3_close_v2(database_);
  database_ = nullptr;
}

Query Connection::query(std::string_view sql) {
  if (const auto found = idle_.find(sql); found != idle_.end()) {
    sqlite3_stmt* const statement = found->second;
    idle_.erase(found);
    return {*this, statement};
  }
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(database_, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                                      &statement, nullptr);
  if (code != SQLITE_OK) {
    throw error(code);
  }
  return {*this, statement};
}

void Connection::execute(const char* sql) {
  const int code = sqlite3_exec(database_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) {
    throw error(code);
  }
}

std::int64_t Connection::pragma(const char* name) {
  Query query = this->query(fmt::format("PRAGMA {}", name));
  return query.step() ? query.integer(0) : 0;
}

std::int64_t Connection::last_id() const noexcept {
  return sqlite3_last_insert_rowid(database_);
}

void Connection::allow_checkpoint_on_close(bool allowed) noexcept {
  sqlite3_db_config(database_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, allowed ? 0 : 1, nullptr);
}

Error Connection::error(int code) const {
  // A code of our own finding is none that the connection knows of.
  const bool told = database_ != nullptr && (sqlite3_errcode(database_) & 0xff) == (code & 0xff);
  const std::string detail = told ? sqlite3_errmsg(database_) : sqlite3_errstr(code);
  return {ErrorKind::history, problem_of(code, detail, busy_timeout_), path_.string(), remedy_for(code & 0xff)};
}

}  // namespace opgate::store
