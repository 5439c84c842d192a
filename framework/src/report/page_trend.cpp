#include "report/page_trend.hpp"

#include <algorithm>
#include <vector>

#include "report/json_parts.hpp"
#include "report/report.hpp"

namespace opgate::report {
namespace {

struct Columns {
  std::vector<std::optional<std::int64_t>> run, outcome, source, series, metric;
  std::vector<std::optional<double>> median, p10, p90, mhz, baseline, threshold;
};

void add_shared(Columns& columns, std::size_t run, const store::SeriesRow& row) {
  columns.run.emplace_back(run);
  columns.outcome.emplace_back(static_cast<std::int64_t>(outcome_of(row)));
  columns.source.emplace_back(static_cast<std::int64_t>(source_of(row)));
  // What a result without a number was held against is no line to draw.
  columns.baseline.push_back(row.reading ? row.baseline_ns : std::nullopt);
  columns.threshold.push_back(row.reading ? row.threshold_pct : std::nullopt);
  columns.metric.push_back(row.metric ? std::optional(static_cast<std::int64_t>(*row.metric)) : std::nullopt);
}

void add_without_number(Columns& columns, std::size_t run, const store::SeriesRow& row) {
  add_shared(columns, run, row);
  columns.series.emplace_back();
  for (auto* column : {&columns.median, &columns.p10, &columns.p90, &columns.mhz}) column->emplace_back();
}

// Of a mixed call only its groups have medians that mean something; they have no quantiles of their own.
void add_reading(Columns& columns, std::size_t run, const store::SeriesRow& row, const PlaceInSeries& place,
                 const std::string& group) {
  add_shared(columns, run, row);
  columns.series.emplace_back(place.series);
  columns.mhz.push_back(row.reading->sm_mhz);
  const auto& groups = row.reading->groups;
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& one) { return one.name == group; });
  const bool mixed = groups.size() > 1 && found != groups.end();
  columns.median.emplace_back(mixed ? found->reading.time_ns : row.reading->median_ns);
  columns.p10.push_back(mixed ? std::nullopt : row.reading->p10_ns);
  columns.p90.push_back(mixed ? std::nullopt : row.reading->p90_ns);
}

Json series_json(const CaseHistory& trend, const core::Series& series, PageRuns& runs) {
  const core::Conditions& conditions = series.newest.conditions;
  Json changes = Json::array();
  for (const core::ChangePoint& point : series.changes) {
    changes.push_back({{"run", runs.index(trend.rows[series.rows[point.index]])},
                       {"last_before", runs.index(trend.rows[series.rows[point.index - 1]])},
                       {"before", point.before},
                       {"after", point.after},
                       {"change", point.change_pct},
                       {"p", point.p_value}});
  }
  return {{"device", conditions.device_name},
          {"unit", series.newest.unit},
          {"driver", conditions.driver_branch},
          {"cuda", conditions.cuda},
          {"method", {conditions.protocol, conditions.timing, conditions.flush, conditions.launch, conditions.pacing}},
          {"group", series.newest.group},
          {"replayed", series.newest.replayed},
          {"max_sm_mhz", series.newest.max_sm_mhz},
          {"metric", core::to_string(series.metric)},
          {"changes", changes}};
}

void write(const Columns& columns, ColumnWriter& out) {
  out.integers(columns.run);
  out.integers(columns.outcome);
  out.integers(columns.source);
  out.integers(columns.series);
  out.integers(columns.metric);
  for (const auto* column :
       {&columns.median, &columns.p10, &columns.p90, &columns.mhz, &columns.baseline, &columns.threshold}) {
    out.numbers(*column);
  }
}

}  // namespace

std::size_t PageRuns::index(const store::SeriesRow& row) {
  const auto [at, added] = indices_.emplace(row.run_id, all_.size());
  if (added) all_.push_back({row.run_id, row.started_unix_ms, row.commit, row.dirty ? 1 : 0});
  return at->second;
}

Json trend_json(const CaseHistory& trend, PageRuns& runs, ColumnWriter& out) {
  Columns columns;
  for (std::size_t index = trend.rows.size(); index-- > 0;) {
    const store::SeriesRow& row = trend.rows[index];
    const std::size_t run = runs.index(row);
    if (!row.reading || trend.places[index].empty()) {
      add_without_number(columns, run, row);
      continue;
    }
    for (const PlaceInSeries& place : trend.places[index]) {
      add_reading(columns, run, row, place, trend.series[place.series].newest.group);
    }
  }
  Json series = Json::array();
  for (const core::Series& one : trend.series) series.push_back(series_json(trend, one, runs));
  Json json{{"count", columns.run.size()}, {"at", out.size()}, {"series", series}};
  write(columns, out);
  return json;
}

}  // namespace opgate::report
