#include "store/migrations.hpp"

namespace opgate::store {

// Readings of other tools: what their file says beyond the method, and figures without samples. NULL: opgate's own.
const Migration kMigration0004{4, R"sql(
ALTER TABLE implementations ADD COLUMN imported TEXT;
)sql"};

}  // namespace opgate::store
