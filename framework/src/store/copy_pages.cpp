#include "store/copy_pages.hpp"

#include <sqlite3.h>

namespace opgate::store {

void copy_pages(Connection& source, Connection& target) {
  sqlite3_backup* const copy = sqlite3_backup_init(target.handle(), "main", source.handle(), "main");
  if (copy == nullptr) {
    throw target.error(sqlite3_extended_errcode(target.handle()));
  }
  const int code = sqlite3_backup_step(copy, -1);
  const int finished = sqlite3_backup_finish(copy);
  if (code != SQLITE_DONE) {
    throw target.error(finished != SQLITE_OK ? finished : code);
  }
}

}  // namespace opgate::store
