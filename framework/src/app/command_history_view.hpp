#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/command_session.hpp"
#include "core/series.hpp"
#include "store/case_series.hpp"

namespace opgate::app {

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

// How the result of a row ended, as the other commands say it.
[[nodiscard]] std::string outcome_of(const store::SeriesRow& row);

// Rows beyond `limit` are left out of the table, or of the lines, unless the level changes there.
[[nodiscard]] std::string history_text(const CaseHistory& history, std::size_t limit, bool unicode);
[[nodiscard]] std::vector<Json> history_json(const CaseHistory& history, std::size_t limit);

}  // namespace opgate::app
