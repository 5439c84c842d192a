#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "store/history.hpp"
#include "store/sqlite.hpp"

namespace opgate::store {

// A seal says that a result is the one that was stored, not that it was found. A flipped bit in an index, or between
// the rows of a table, hides results, or shows those of another case or run. Each result is in `results` and in
// `series`, on different pages: one flip does not change both alike. Error(history) where they differ.

// The row itself, read by its number from the table, says the run and the case that an index led from.
void require_place(Connection& connection, const CaseResult& result, const Page& page);
// `results`, in their order, are all that `series` has of this page; `case_id` is that of its name.
void require_complete(Connection& connection, const Page& page, std::optional<std::int64_t> case_id,
                      const std::vector<CaseResult>& results);

// Names of the cases that have results, sorted; of a run only where one is named.
[[nodiscard]] std::vector<std::string> recorded_case_names(Connection& connection);
[[nodiscard]] std::vector<std::string> recorded_case_names(Connection& connection, std::int64_t run_id);

}  // namespace opgate::store
