#include "report/case_history.hpp"

#include <utility>

#include "core/verdict.hpp"

namespace opgate::report {
namespace {

core::SeriesReading series_reading(const store::SeriesRow& row, std::size_t index) {
  core::SeriesReading reading;
  reading.identity = row.identity;
  reading.conditions = row.reading->conditions;
  reading.unit = row.reading->unit;
  reading.replayed = row.replayed;
  reading.tick_ns = row.reading->tick_ns;
  reading.max_sm_mhz = row.reading->max_sm_mhz;
  reading.time_ns = row.reading->median_ns;
  reading.cycles = row.reading->cycles;
  reading.row = index;
  return reading;
}

// One per kernel group of a mixed call: its pooled median is a value that no call need have had.
void add_readings(const store::SeriesRow& row, std::size_t index, std::vector<core::SeriesReading>& readings) {
  if (!row.reading) return;
  const core::SeriesReading whole = series_reading(row, index);
  if (row.reading->groups.size() < 2) {
    readings.push_back(whole);
    return;
  }
  for (const core::GroupReading& group : row.reading->groups) {
    if (group.reading.samples < core::RuleOptions{}.min_group_samples) continue;
    core::SeriesReading part = whole;
    part.group = group.name;
    part.time_ns = group.reading.time_ns;
    part.cycles = group.reading.cycles;
    readings.push_back(std::move(part));
  }
}

}  // namespace

CaseHistory case_history(std::string name, std::vector<store::SeriesRow> rows) {
  CaseHistory history;
  history.name = std::move(name);
  history.rows = std::move(rows);
  history.places.resize(history.rows.size());
  std::vector<core::SeriesReading> readings;
  for (std::size_t index = history.rows.size(); index-- > 0;) add_readings(history.rows[index], index, readings);
  history.series = core::comparable_series(readings);
  for (std::size_t number = 0; number < history.series.size(); ++number) {
    const core::Series& series = history.series[number];
    std::size_t next = 0;
    for (std::size_t i = 0; i < series.rows.size(); ++i) {
      PlaceInSeries place{number, std::nullopt};
      if (next < series.changes.size() && series.changes[next].index == i) place.change = next++;
      history.places[series.rows[i]].push_back(place);
    }
  }
  return history;
}

}  // namespace opgate::report
