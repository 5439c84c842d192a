#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/case_series.hpp"
#include "store/sqlite.hpp"

namespace opgate::store {

// Newest first, at most `limit` (-1: all). Call inside a read transaction.
[[nodiscard]] std::vector<SeriesRow> case_series_rows(Connection& connection, const std::string& case_name,
                                                      std::int64_t limit);

}  // namespace opgate::store
