#include "store/migrations.hpp"

#include <fmt/format.h>

#include <array>

#include "store/transaction.hpp"

namespace opgate::store {
namespace {

constexpr std::array kMigrations{&kMigration0001, &kMigration0002, &kMigration0004, &kMigration0005,
                                 &kMigration0007, &kMigration0008, &kMigration0009, &kMigration0010};

std::int64_t tables(Connection& connection) {
  Query query = connection.query("SELECT count(*) FROM sqlite_schema");
  return query.step() ? query.integer(0) : 0;
}

}  // namespace

std::span<const Migration* const> migrations() {
  return kMigrations;
}

int newest_schema() {
  return kMigrations.back()->version;
}

void check_schema(Connection& connection, bool may_be_new) {
  const std::int64_t application = connection.pragma("application_id");
  const std::int64_t version = connection.pragma("user_version");
  const std::string where = connection.path().string();
  if (application == 0 && version == 0 && tables(connection) == 0) {
    if (may_be_new) {
      return;
    }
    throw Error(ErrorKind::history, "this file is empty, so it is no history yet", where,
                "name a history that holds runs with --history, or run a case to create one");
  }
  if (application != kApplicationId) {
    throw Error(ErrorKind::history, "this SQLite database is not an opgate history", where,
                "name another file with --history; this one was left as it is");
  }
  if (version > newest_schema()) {
    throw Error(ErrorKind::history,
                fmt::format("the history has schema {}, this opgate knows schemas up to {}", version, newest_schema()),
                where, "use the newer opgate that wrote it, or name another file with --history");
  }
}

void migrate(Connection& connection) {
  if (connection.pragma("user_version") == newest_schema()) {
    return;
  }
  // What is sorted in memory need not be written and read several times: minutes at 10^7 results.
  connection.execute("PRAGMA cache_size = -262144");
  Transaction transaction(connection, Transaction::Kind::write);
  check_schema(connection, true);  // another process may have migrated it meanwhile
  const std::int64_t present = connection.pragma("user_version");
  for (const Migration* const migration : kMigrations) {
    if (migration->version > present) {
      connection.execute(migration->sql);
      connection.execute(fmt::format("PRAGMA user_version = {}", migration->version).c_str());
    }
  }
  connection.execute(fmt::format("PRAGMA application_id = {}", kApplicationId).c_str());
  transaction.commit();
  connection.execute("PRAGMA cache_size = -2000");
}

}  // namespace opgate::store
