#include "store/migrations.hpp"

namespace opgate::store {

// What pruning keeps of samples where the columns of implementations do not say all: the readings of kernel groups, of
// calls that vary and of short ones, whose median is interpolated.
const Migration kMigration0007{7, R"sql(
CREATE TABLE kept_groups (
  implementation_id INTEGER PRIMARY KEY REFERENCES implementations ON DELETE CASCADE,
  content TEXT NOT NULL
) STRICT;
)sql"};

}  // namespace opgate::store
