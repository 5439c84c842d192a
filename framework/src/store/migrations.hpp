#pragma once

#include <cstdint>
#include <span>

#include "store/sqlite.hpp"

namespace opgate::store {

// "opgt": tells a history from any other SQLite database.
inline constexpr std::int64_t kApplicationId = 0x6f706774;

// Turns schema `version - 1` into `version`. Published migrations never change; a new one is appended.
struct Migration {
  int version;
  const char* sql;
};

extern const Migration kMigration0001;
extern const Migration kMigration0002;
extern const Migration kMigration0004;
extern const Migration kMigration0005;
extern const Migration kMigration0007;
extern const Migration kMigration0008;

// What schema 8 adds to schema 7, for a connection that only reads: the file stays as it is.
extern const char* const kSeriesOfSchema7;
extern const Migration kMigration0009;
// And schema 9 to schemas 7 and 8: none was measured.
extern const char* const kCeilingsOfSchema8;
extern const Migration kMigration0010;
// And schema 10 to schemas 7 to 9: none was sealed.
extern const char* const kSealsOfSchema9;

[[nodiscard]] std::span<const Migration* const> migrations();
[[nodiscard]] int newest_schema();

// Error(history) for a database that is not a history, and for a schema newer than this program's. `may_be_new`: an
// empty database is acceptable, because it is about to become a history.
void check_schema(Connection& connection, bool may_be_new);
// Applies what is missing in one transaction. Safe when many processes create the same history at once.
void migrate(Connection& connection);

}  // namespace opgate::store
