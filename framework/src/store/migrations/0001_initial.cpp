#include "store/migrations.hpp"

namespace opgate::store {

// Narrow rows for what is searched (10^7 results), interned text for what repeats from night to night, samples apart
// so that they can be pruned without touching a figure. Enumerations are stored by name, so that the meaning of a row
// does not depend on the program that reads it.
const Migration kMigration0001{1, R"sql(
CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uuid TEXT NOT NULL UNIQUE,
  origin TEXT NOT NULL,
  started_unix_ms INTEGER NOT NULL,
  closed_unix_ms INTEGER,
  host TEXT NOT NULL,
  source_commit TEXT NOT NULL,
  dirty INTEGER NOT NULL CHECK (dirty IN (0, 1)),
  replayed INTEGER NOT NULL CHECK (replayed IN (0, 1)),
  label TEXT NOT NULL
) STRICT;

CREATE TABLE cases (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE selections (
  run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  case_id INTEGER NOT NULL REFERENCES cases,
  position INTEGER NOT NULL,
  PRIMARY KEY (run_id, case_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE texts (
  id INTEGER PRIMARY KEY,
  content TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE identities (
  id INTEGER PRIMARY KEY,
  case_id INTEGER NOT NULL REFERENCES cases,
  content TEXT NOT NULL,
  UNIQUE (case_id, content)
) STRICT;

CREATE TABLE devices (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  uuid TEXT NOT NULL,
  driver TEXT NOT NULL,
  cuda TEXT NOT NULL,
  cupti TEXT NOT NULL,
  device_index INTEGER NOT NULL,
  sm_count INTEGER NOT NULL,
  l2_bytes INTEGER NOT NULL,
  memory_bytes INTEGER NOT NULL,
  compute_capability INTEGER NOT NULL,
  max_sm_mhz INTEGER NOT NULL,
  tick_ns INTEGER NOT NULL,
  UNIQUE (uuid, name, driver, cuda, cupti, device_index, sm_count, l2_bytes, memory_bytes, compute_capability,
          max_sm_mhz, tick_ns)
) STRICT;

CREATE TABLE results (
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  case_id INTEGER NOT NULL REFERENCES cases,
  identity_id INTEGER NOT NULL REFERENCES identities,
  rule_id INTEGER NOT NULL REFERENCES texts,
  labels_id INTEGER NOT NULL REFERENCES texts,
  times_recorded INTEGER NOT NULL,
  exit_code INTEGER,
  verdict TEXT,
  metric TEXT,
  baseline_ns REAL,
  measured_ns REAL,
  change_pct REAL,
  threshold_pct REAL,
  detectable_pct REAL,
  UNIQUE (case_id, run_id)
) STRICT;
CREATE INDEX results_by_run ON results (run_id);

CREATE TABLE remarks (
  result_id INTEGER PRIMARY KEY REFERENCES results ON DELETE CASCADE,
  reason TEXT NOT NULL,
  notes TEXT NOT NULL
) STRICT;

CREATE TABLE attempts (
  id INTEGER PRIMARY KEY,
  result_id INTEGER NOT NULL REFERENCES results ON DELETE CASCADE,
  number INTEGER NOT NULL,
  purpose TEXT NOT NULL,
  status TEXT NOT NULL,
  error TEXT,
  replayed INTEGER NOT NULL CHECK (replayed IN (0, 1)),
  device_id INTEGER NOT NULL REFERENCES devices,
  started_unix_ms INTEGER NOT NULL,
  wall_ns INTEGER NOT NULL,
  phase TEXT NOT NULL,
  message TEXT NOT NULL,
  detail TEXT NOT NULL,
  UNIQUE (result_id, number)
) STRICT;

CREATE TABLE implementations (
  id INTEGER PRIMARY KEY,
  attempt_id INTEGER NOT NULL REFERENCES attempts ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  protocol TEXT NOT NULL,
  timing TEXT NOT NULL,
  flush TEXT NOT NULL,
  launch TEXT NOT NULL,
  device INTEGER NOT NULL,
  warmup_iterations INTEGER NOT NULL,
  retries INTEGER NOT NULL,
  samples INTEGER NOT NULL,
  busy_median_ns REAL,
  busy_p10_ns REAL,
  busy_p90_ns REAL,
  latency_median_ns REAL,
  sm_mhz_median REAL,
  n_kernels INTEGER,
  pass_medians_ns TEXT NOT NULL,
  kernels_id INTEGER NOT NULL REFERENCES texts,
  UNIQUE (attempt_id, position)
) STRICT;

CREATE TABLE samples (
  implementation_id INTEGER PRIMARY KEY REFERENCES implementations ON DELETE CASCADE,
  content BLOB NOT NULL
) STRICT;
)sql"};

}  // namespace opgate::store
