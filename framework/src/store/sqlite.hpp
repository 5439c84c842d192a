#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "opgate/error.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace opgate::store {

class Connection;

// One use of a prepared statement; binds from left to right, gives the statement back to the connection's cache when
// it ends.
class Query {
 public:
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;
  Query(Query&& other) noexcept;
  Query& operator=(Query&&) = delete;
  ~Query();

  Query& bind(std::int64_t value);
  Query& bind(double value);
  Query& bind(const std::string& value);
  Query& bind(std::span<const std::byte> value);
  Query& bind_null();
  template <class T>
  Query& bind(const std::optional<T>& value) {
    return value ? bind(*value) : bind_null();
  }

  [[nodiscard]] bool step();  // true: a row is there
  void run();                 // for statements without rows

  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::span<const std::byte> blob(int column) const;  // until the next step
  // The whole row: the type and, for text and blobs, the length before each value. The same on every machine.
  [[nodiscard]] std::string row_bytes() const;
  [[nodiscard]] std::optional<std::int64_t> optional_integer(int column) const;
  [[nodiscard]] std::optional<double> optional_real(int column) const;
  [[nodiscard]] std::optional<std::string> optional_text(int column) const;

 private:
  friend class Connection;
  Query(Connection& connection, sqlite3_stmt* statement) : connection_(&connection), statement_(statement) {}
  void check(int code) const;

  Connection* connection_;
  sqlite3_stmt* statement_;
  int bound_ = 0;
};

// scratch: a private database that ends with its connection; the path is what errors name.
enum class OpenMode : std::uint8_t { create, read_only, immutable, scratch };

// One database connection. Every failure is Error(history) naming the file and a remedy.
class Connection {
 public:
  Connection(const std::filesystem::path& path, OpenMode mode, std::chrono::milliseconds busy_timeout);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  [[nodiscard]] Query query(std::string_view sql);
  void execute(const char* sql);  // any number of statements, results ignored
  [[nodiscard]] std::int64_t pragma(const char* name);
  [[nodiscard]] std::int64_t last_id() const noexcept;
  // Until allowed, closing leaves a write-ahead log as it is: a file that was refused must not change.
  void allow_checkpoint_on_close(bool allowed) noexcept;
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] sqlite3* handle() const noexcept { return database_; }
  // The error for a SQLite result code.
  [[nodiscard]] Error error(int code) const;

 private:
  friend class Query;
  void close() noexcept;

  std::filesystem::path path_;
  std::chrono::milliseconds busy_timeout_;
  sqlite3* database_ = nullptr;
  std::map<std::string, sqlite3_stmt*, std::less<>> idle_;  // prepared, not in use
};

}  // namespace opgate::store
