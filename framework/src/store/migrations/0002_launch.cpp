#include "store/migrations.hpp"

namespace opgate::store {

// How calls were launched and why, and the figures that came with it. Rows of schema 1 were launched directly, without
// idle time between calls, as its defaults say; figures that schema 1 did not keep stay absent.
const Migration kMigration0002{2, R"sql(
ALTER TABLE implementations ADD COLUMN launch_reason TEXT NOT NULL DEFAULT '';
ALTER TABLE implementations ADD COLUMN pacing REAL NOT NULL DEFAULT 0;
ALTER TABLE implementations ADD COLUMN iterations_asked INTEGER;
ALTER TABLE implementations ADD COLUMN busy_trimmed_mean_ns REAL;
ALTER TABLE implementations ADD COLUMN work_median_ns REAL;
ALTER TABLE implementations ADD COLUMN gap_median_ns REAL;
ALTER TABLE implementations ADD COLUMN queued_latency_median_ns REAL;
ALTER TABLE implementations ADD COLUMN device_gap_median_ns REAL;
ALTER TABLE implementations ADD COLUMN busy_cycles_median REAL;
)sql"};

}  // namespace opgate::store
