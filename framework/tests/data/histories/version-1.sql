PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
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
INSERT INTO runs VALUES(3,'0d014578-0a2d-8804-a6ae-55bb42bb9536','import',1796012360400,1796012360400,'','',0,0,'import in.csv');
INSERT INTO runs VALUES(4,'4b5d7879-a043-4c2c-88b7-f80bbea49e24','replay',1796012360472,1796012360575,'vm','9573a3108a4869679f75d8d183d0b9a15f9f2c92',0,1,'build/nightly/bin/opgate_case rmsnorm.llama3-8b-decode-1.bf16');
CREATE TABLE cases (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO cases VALUES(1,'copy.old.f32');
INSERT INTO cases VALUES(2,'rmsnorm.llama3-8b-decode-1.bf16');
CREATE TABLE selections (
  run_id INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  case_id INTEGER NOT NULL REFERENCES cases,
  position INTEGER NOT NULL,
  PRIMARY KEY (run_id, case_id)
) STRICT, WITHOUT ROWID;
INSERT INTO selections VALUES(3,1,0);
CREATE TABLE texts (
  id INTEGER PRIMARY KEY,
  content TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO texts VALUES(1,'{"clock_contradiction":0.01,"min_group_samples":10,"min_runs":5,"noise_factor":4.0,"other_unit_extra":0.03,"share_tolerance":0.05,"ticks":3,"tolerance":0.01}');
INSERT INTO texts VALUES(2,'[]');
INSERT INTO texts VALUES(3,'{"groups":["1 kernel","2 kernels"],"kernels":[]}');
INSERT INTO texts VALUES(4,'["nightly","gate","smoke"]');
INSERT INTO texts VALUES(5,'{"groups":["rmsnorm_kernel"],"kernels":[{"block":[128,1,1],"dynamic_shared_bytes":0,"grid":[1,1,1],"name":"_ZN3ops7rmsnorm49_GLOBAL__N__b89b5e8b_10_rmsnorm_cu_147786e2_1136614rmsnorm_kernelI13__nv_bfloat16Li8EEEvNS1_7ProblemIT_EE","registers":64,"static_shared_bytes":128}]}');
CREATE TABLE identities (
  id INTEGER PRIMARY KEY,
  case_id INTEGER NOT NULL REFERENCES cases,
  content TEXT NOT NULL,
  UNIQUE (case_id, content)
) STRICT;
INSERT INTO identities VALUES(1,1,'{"copies":"forbid","dimensions":{},"dtype":"f32","generator":"","op":"copy","params":{},"workload":"old"}');
INSERT INTO identities VALUES(2,2,'{"bytes_read":16384.0,"bytes_written":8192.0,"copies":"forbid","dimensions":{"cols":4096,"rows":1},"dtype":"bf16","flops":16384.0,"generator":"splitmix64-uniform-1 seed 0","op":"rmsnorm","params":{"eps":1e-06},"workload":"llama3-8b-decode-1"}');
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
INSERT INTO devices VALUES(1,'','','','','',0,0,0,0,0,1980,0);
INSERT INTO devices VALUES(2,'','','','','',0,0,0,0,0,0,0);
INSERT INTO devices VALUES(3,'NVIDIA H200','GPU-047a7a54-9c24-4d8e-fea5-eba2136267c4','580.159.04','13.0','',0,132,62914560,150109880320,90,1980,0);
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
INSERT INTO results VALUES(1,3,1,1,1,2,1,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO results VALUES(2,4,2,2,1,4,1,0,'no-baseline','time',NULL,2336.0,NULL,NULL,NULL);
CREATE TABLE remarks (
  result_id INTEGER PRIMARY KEY REFERENCES results ON DELETE CASCADE,
  reason TEXT NOT NULL,
  notes TEXT NOT NULL
) STRICT;
INSERT INTO remarks VALUES(2,'the case has no accepted baseline; at least 5 fresh runs are wanted','[]');
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
INSERT INTO attempts VALUES(1,1,1,'first','measured',NULL,0,1,1796012360400,0,'','','{"after":{},"before":{},"phase_wall_ns":{}}');
INSERT INTO attempts VALUES(2,2,1,'first','measured',NULL,1,3,1796012360551,19957324,'','','{"after":{},"before":{},"phase_wall_ns":{"calibrate":5778,"check":591,"context":49403,"measure":42723,"process":19851670,"recheck":781,"set-up":1262,"state":3484,"warm-up":1632}}');
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
INSERT INTO implementations VALUES(1,1,0,'','opgate-1','cupti','read','direct',0,0,0,3,1696.0,1696.0,1728.0,1700.0,1980.0,2,'[]',3);
INSERT INTO implementations VALUES(2,2,0,'','opgate-1','cupti','read','direct',0,200,0,20,2336.0,2176.0,2400.0,2336.0,NULL,1,'[2336.0]',5);
CREATE TABLE samples (
  implementation_id INTEGER PRIMARY KEY REFERENCES implementations ON DELETE CASCADE,
  content BLOB NOT NULL
) STRICT;
INSERT INTO samples VALUES(1,X'010301c01a2000060104020019000003000402020101fa1e0f000200000202012e177f9a');
INSERT INTO samples VALUES(2,X'011401c0240107fb0106580040af7f807e0104f60b40b8de82008401f2030000140000140004140000140000148ca59d79');
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('runs',4);
CREATE INDEX results_by_run ON results (run_id);
COMMIT;
