#include "app/command_history_view.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/command_result.hpp"

namespace opgate::app {

namespace {

Json json_of(const CaseHistory& history, const PlaceInSeries& place, const store::SeriesRow& row) {
  const core::Series& series = history.series[place.series];
  const core::ChangePoint& point = series.changes[*place.change];
  const store::SeriesRow& before = history.rows[series.rows[point.index - 1]];
  return {
      {"series", place.series + 1},    {"group", series.newest.group},     {"metric", core::to_string(series.metric)},
      {"before_ns", point.before},     {"after_ns", point.after},          {"change_pct", point.change_pct},
      {"p_value", point.p_value},      {"last_before_run", before.run_id}, {"last_before_commit", before.commit},
      {"first_after_run", row.run_id}, {"first_after_commit", row.commit}};
}

Json json_of(const CaseHistory& history, std::size_t index) {
  const store::SeriesRow& row = history.rows[index];
  Json line{{"case", history.name},
            {"run", row.run_id},
            {"started_unix_ms", row.started_unix_ms},
            {"commit", row.commit},
            {"dirty", row.dirty},
            {"median_ns", row.reading ? Json(row.reading->median_ns) : Json(nullptr)},
            {"verdict", outcome_of(row)},
            {"change_pct", or_null(row.change_pct)},
            {"p10_ns", row.reading ? or_null(row.reading->p10_ns) : Json(nullptr)},
            {"p90_ns", row.reading ? or_null(row.reading->p90_ns) : Json(nullptr)},
            {"replayed", row.replayed}};
  const core::Conditions conditions = row.reading ? row.reading->conditions : core::Conditions{};
  line["device"] = conditions.device_name;
  line["unit"] = row.reading ? row.reading->unit : "";
  line["driver_branch"] = conditions.driver_branch;
  line["cuda"] = conditions.cuda;
  line["protocol"] = conditions.protocol;
  line["timing"] = conditions.timing;
  line["flush"] = conditions.flush;
  line["launch"] = conditions.launch;
  line["pacing"] = conditions.pacing;
  line["series"] = Json::array();
  line["change_points"] = Json::array();
  for (const PlaceInSeries& place : history.places[index]) {
    line["series"].push_back(place.series + 1);
    if (place.change) line["change_points"].push_back(json_of(history, place, row));
  }
  return line;
}

bool level_changes_at(const std::vector<PlaceInSeries>& places) {
  return std::any_of(places.begin(), places.end(), [](const PlaceInSeries& place) { return place.change.has_value(); });
}

}  // namespace

std::string outcome_of(const store::SeriesRow& row) {
  const auto ended = row.exit_code;
  const bool judged = !ended || *ended == core::ExitCode::pass || *ended == core::ExitCode::regression ||
                      *ended == core::ExitCode::inconclusive || *ended == core::ExitCode::no_baseline;
  if (judged && row.reading) {
    return row.verdict ? core::to_string(*row.verdict) : core::to_string(core::Status::measured);
  }
  return core::to_string(row.last_status.value_or(core::Status::running));
}

std::vector<Json> history_json(const CaseHistory& history, std::size_t limit) {
  std::vector<Json> lines;
  for (std::size_t index = 0; index < history.rows.size(); ++index) {
    if (index < limit || level_changes_at(history.places[index])) lines.push_back(json_of(history, index));
  }
  return lines;
}

}  // namespace opgate::app
