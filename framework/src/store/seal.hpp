#pragma once

#include <cstdint>

#include "store/sqlite.hpp"

namespace opgate::store {

// A checksum over the values of a result: the UUID of its run, case, identity, rule, labels and verdict, its attempts
// with their devices, conditions, figures and kernels, whether there are samples, what pruning kept of them; and one
// over those of a run, with the cases that were selected. Names that rows share count with their text. Samples have a
// checksum of their own; the copies in `series` have none.

// Whatever changes a result or a run checks it before, so that no damage is sealed, and seals it at the end of the same
// transaction.
void seal_result(Connection& connection, std::int64_t result_id);
void seal_run(Connection& connection, std::int64_t run_id);
// Error(history) when it is not what was sealed. What is older than schema 10 has no seal and passes.
void check_result(Connection& connection, std::int64_t result_id);
void check_run(Connection& connection, std::int64_t run_id);

}  // namespace opgate::store
