#include "store/migrations.hpp"

namespace opgate::store {

// A case's rows lie all over a long history, a page or more each: at 10^7 results a report read gigabytes. `series`
// holds what a trend needs of a result, a case's rows side by side. It is derived, and this says how; the usual way to
// measure is left out, which saves a fifth of it.
#define OPGATE_SERIES_SOURCE                                                                                        \
  " AS "                                                                                                            \
  "SELECT r.case_id, r.run_id, r.id AS result_id, r.identity_id, r.exit_code, r.verdict, r.metric, r.baseline_ns, " \
  "r.change_pct, r.threshold_pct, m.waiver IS NOT NULL AS waived, "                                                 \
  "(SELECT status FROM attempts WHERE result_id = r.id ORDER BY number DESC LIMIT 1) AS last_status, "              \
  "a.device_id, a.replayed, i.id AS implementation_id, nullif(i.protocol, 'opgate-1') AS protocol, "                \
  "nullif(i.timing, 'cupti') AS timing, nullif(i.flush, 'read') AS flush, nullif(i.launch, 'queued') AS launch, "   \
  "i.pacing, i.imported, "                                                                                          \
  "i.busy_median_ns, i.busy_p10_ns, i.busy_p90_ns, i.sm_mhz_median, i.kernels_id "                                  \
  "FROM results r LEFT JOIN remarks m ON m.result_id = r.id "                                                       \
  "LEFT JOIN attempts a ON a.id = (SELECT id FROM attempts WHERE result_id = r.id AND status = 'measured' "         \
  "AND purpose <> 'confirm' ORDER BY number LIMIT 1) "                                                              \
  "LEFT JOIN implementations i ON i.id = (SELECT id FROM implementations WHERE attempt_id = a.id AND name = '' "    \
  "AND busy_median_ns IS NOT NULL ORDER BY position LIMIT 1); "

const char* const kSeriesOfSchema7 = "CREATE TEMP VIEW series" OPGATE_SERIES_SOURCE;

// The + keeps SQLite from reading the old rows case by case, which would read every page of them once a case.
const Migration kMigration0008{8, "CREATE VIEW series_source" OPGATE_SERIES_SOURCE R"sql(
CREATE TABLE series (
  case_id INTEGER NOT NULL,
  run_id INTEGER NOT NULL,
  result_id INTEGER NOT NULL,
  identity_id INTEGER NOT NULL,
  exit_code INTEGER,
  verdict TEXT,
  metric TEXT,
  baseline_ns REAL,
  change_pct REAL,
  threshold_pct REAL,
  waived INTEGER NOT NULL CHECK (waived IN (0, 1)),
  last_status TEXT,
  device_id INTEGER,
  replayed INTEGER,
  implementation_id INTEGER,
  protocol TEXT,
  timing TEXT,
  flush TEXT,
  launch TEXT,
  pacing REAL,
  imported TEXT,
  busy_median_ns REAL,
  busy_p10_ns REAL,
  busy_p90_ns REAL,
  sm_mhz_median REAL,
  kernels_id INTEGER,
  PRIMARY KEY (case_id, run_id),
  FOREIGN KEY (case_id, run_id) REFERENCES results (case_id, run_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

INSERT INTO series SELECT * FROM series_source ORDER BY +case_id, +run_id;
)sql"};

}  // namespace opgate::store
