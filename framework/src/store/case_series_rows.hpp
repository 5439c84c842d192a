#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/case_series.hpp"
#include "store/sqlite.hpp"

namespace opgate::store {

// Newest first, at most `limit` (-1: all), of runs up to `last_run`. Call inside a read transaction.
[[nodiscard]] std::vector<SeriesRow> case_series_rows(Connection& connection, const std::string& case_name,
                                                      std::int64_t limit, std::int64_t last_run);

// Brings the row of `series` up to what the result says. Part of result_changed (result_rows.hpp).
void update_series_row(Connection& connection, std::int64_t result_id);

}  // namespace opgate::store
