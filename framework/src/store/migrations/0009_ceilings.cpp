#include "store/migrations.hpp"

namespace opgate::store {

// What each GPU was measured to do at most: no run, no case, and pruned with neither. One row a measurement; rates that
// could not be measured are NULL.
const Migration kMigration0009{9, R"sql(
CREATE TABLE ceilings (
  id INTEGER PRIMARY KEY,
  unit TEXT NOT NULL,
  device TEXT NOT NULL,
  driver TEXT NOT NULL,
  measured_unix_ms INTEGER NOT NULL,
  source_commit TEXT NOT NULL,
  dirty INTEGER NOT NULL CHECK (dirty IN (0, 1)),
  copy_bytes_per_s REAL,
  copy_sm_mhz REAL,
  half_flops_per_s REAL,
  half_sm_mhz REAL,
  f8_flops_per_s REAL,
  f8_sm_mhz REAL
) STRICT;
CREATE INDEX ceilings_by_unit ON ceilings (unit, measured_unix_ms);
)sql"};

const char* const kCeilingsOfSchema8 =
    "CREATE TEMP VIEW ceilings AS SELECT NULL AS id, NULL AS unit, NULL AS device, NULL AS driver,"
    " NULL AS measured_unix_ms, NULL AS source_commit, NULL AS dirty, NULL AS copy_bytes_per_s, NULL AS copy_sm_mhz,"
    " NULL AS half_flops_per_s, NULL AS half_sm_mhz, NULL AS f8_flops_per_s, NULL AS f8_sm_mhz WHERE 0";

}  // namespace opgate::store
