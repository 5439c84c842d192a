#pragma once

#include <cstdint>
#include <vector>

#include "core/result.hpp"
#include "store/interned.hpp"
#include "store/sqlite.hpp"

namespace opgate::store {

// Replaces the attempt of that number with its implementations and samples. Call inside a write transaction.
void put_attempt_row(Connection& connection, std::int64_t result_id, const core::Attempt& attempt);
// The attempts of a result in the order of their numbers.
[[nodiscard]] std::vector<core::Attempt> attempt_rows(Connection& connection, InternedReader& interned,
                                                      std::int64_t result_id, bool with_samples);
// The method of an implementation: four columns from `first` on (protocol, timing, flush, launch), and what is
// imported.
void take_method(const Query& row, int first, int imported, core::ImplementationResult& result);
// 0 when there is none.
[[nodiscard]] int last_attempt_number(Connection& connection, std::int64_t result_id);

}  // namespace opgate::store
