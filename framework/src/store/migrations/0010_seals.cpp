#include "store/migrations.hpp"

namespace opgate::store {

// A checksum for each result and each run; what was stored before has none.
const Migration kMigration0010{10, R"sql(
CREATE TABLE seals (
  result_id INTEGER PRIMARY KEY REFERENCES results ON DELETE CASCADE,
  checksum INTEGER NOT NULL
) STRICT;

CREATE TABLE run_seals (
  run_id INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
  checksum INTEGER NOT NULL
) STRICT;
)sql"};

const char* const kSealsOfSchema9 =
    "CREATE TEMP VIEW seals AS SELECT NULL AS result_id, NULL AS checksum WHERE 0;"
    "CREATE TEMP VIEW run_seals AS SELECT NULL AS run_id, NULL AS checksum WHERE 0";

}  // namespace opgate::store
