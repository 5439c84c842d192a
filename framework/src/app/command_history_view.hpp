#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/command_session.hpp"
#include "report/case_history.hpp"
#include "store/case_series.hpp"

namespace opgate::app {

using report::case_history;
using report::CaseHistory;
using report::PlaceInSeries;

// How the result of a row ended, as the other commands say it.
[[nodiscard]] std::string outcome_of(const store::SeriesRow& row);

// Rows beyond `limit` are left out of the table, or of the lines, unless the level changes there.
[[nodiscard]] std::string history_text(const CaseHistory& history, std::size_t limit, bool unicode);
[[nodiscard]] std::vector<Json> history_json(const CaseHistory& history, std::size_t limit);

}  // namespace opgate::app
