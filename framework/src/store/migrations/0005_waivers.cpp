#include "store/migrations.hpp"

namespace opgate::store {

// What a case by hand was started with beyond the usual, so that it makes no baseline unseen; what stood beside a
// verdict.
const Migration kMigration0005{5, R"sql(
ALTER TABLE runs ADD COLUMN options TEXT NOT NULL DEFAULT '';
ALTER TABLE remarks ADD COLUMN origin_change_pct REAL;
ALTER TABLE remarks ADD COLUMN subtick_change_pct REAL;
ALTER TABLE remarks ADD COLUMN waiver TEXT;
)sql"};

}  // namespace opgate::store
