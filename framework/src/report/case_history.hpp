#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/series.hpp"
#include "store/case_series.hpp"

namespace opgate::report {

// A reading's place in one of the series of its case.
struct PlaceInSeries {
  std::size_t series = 0;             // index
  std::optional<std::size_t> change;  // of the series' changes: the level changes with this reading
};

// The history of one case: its results, and the series that their readings form.
struct CaseHistory {
  std::string name;
  std::vector<store::SeriesRow> rows;              // newest first
  std::vector<core::Series> series;                // that of the newest reading first; rows: indices of rows
  std::vector<std::vector<PlaceInSeries>> places;  // by row; several for a mixed call, none without a reading
};

[[nodiscard]] CaseHistory case_history(std::string name, std::vector<store::SeriesRow> rows);

}  // namespace opgate::report
