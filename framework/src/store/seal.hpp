#pragma once

#include <cstdint>

#include "store/sqlite.hpp"

namespace opgate::store {

// A checksum over the values of a result: its run, case, identity, rule, labels and verdict, its attempts with their
// devices, conditions, figures and kernels, what pruning kept of the samples. Names that results share count with their
// text. Samples have a checksum of their own, the copies in `series` and the closing time of the run have none.

// Whatever changes a result checks it before, so that no damage is sealed, and calls this at the end of the same
// transaction.
void seal_result(Connection& connection, std::int64_t result_id);
// Error(history) when the result is not what was sealed. One of before schema 10 has no seal and passes.
void check_result(Connection& connection, std::int64_t result_id);

}  // namespace opgate::store
