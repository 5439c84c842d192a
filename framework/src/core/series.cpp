#include "core/series.hpp"

#include <algorithm>
#include <cmath>

#include "core/readings.hpp"
#include "core/statistics.hpp"

namespace opgate::core {
namespace {

// Time below this scatter needs no correction; and the clock must explain more than half of it, or it only adds its
// own.
constexpr double kSteady = 0.002;
constexpr double kExplained = 0.5;

// Without dimensions (imports) the work is all there is to tell one shape from another; with them, counting it
// differently changes no time.
bool same_work(const CaseIdentity& a, const CaseIdentity& b) {
  const bool counted = a.dimensions.empty() && b.dimensions.empty();
  return a.dtype == b.dtype && a.dimensions == b.dimensions && a.params == b.params && a.generator == b.generator &&
         a.copies == b.copies &&
         (!counted || (a.flops == b.flops && a.bytes_read == b.bytes_read && a.bytes_written == b.bytes_written &&
                       a.bytes == b.bytes));
}

bool same_series(const SeriesReading& a, const SeriesReading& b) {
  return a.unit == b.unit && a.group == b.group && a.replayed == b.replayed && a.conditions == b.conditions &&
         same_work(a.identity, b.identity);
}

struct Group {
  std::vector<const SeriesReading*> readings;
};

std::optional<std::vector<double>> at_highest_clock(const Group& group) {
  std::vector<double> values;
  for (const SeriesReading* reading : group.readings) {
    if (!reading->cycles || reading->max_sm_mhz <= 0 || reading->max_sm_mhz != group.readings.front()->max_sm_mhz) {
      return std::nullopt;
    }
    values.push_back(*reading->cycles * 1000 / reading->max_sm_mhz);
  }
  return values;
}

void choose_metric(const Group& group, Series& series) {
  for (const SeriesReading* reading : group.readings) {
    series.values_ns.push_back(reading->time_ns);
  }
  const double scatter = relative_step(series.values_ns);
  auto corrected = scatter > kSteady ? at_highest_clock(group) : std::nullopt;
  if (corrected && relative_step(*corrected) < kExplained * scatter) {
    series.metric = Metric::cycles;
    series.values_ns = *std::move(corrected);
  }
}

Series series_of(const Group& group, ChangePointOptions options) {
  Series series;
  series.newest = *group.readings.back();
  for (const SeriesReading* reading : group.readings) {
    series.rows.push_back(reading->row);
  }
  choose_metric(group, series);
  options.resolution = series.newest.tick_ns > 0 ? series.newest.tick_ns : kDefaultTickNs;
  series.changes = find_change_points(series.values_ns, options);
  return series;
}

}  // namespace

double relative_step(std::span<const double> values) {
  if (values.size() < 2) {
    return 0;
  }
  std::vector<double> steps;
  for (std::size_t i = 1; i < values.size(); ++i) {
    steps.push_back(std::abs(values[i] - values[i - 1]));
  }
  const double centre = median(std::vector<double>(values.begin(), values.end()));
  return centre > 0 ? median(std::move(steps)) / centre : 0;
}

std::vector<Series> comparable_series(std::span<const SeriesReading> readings, const ChangePointOptions& options) {
  std::vector<Group> groups;
  for (auto reading = readings.rbegin(); reading != readings.rend(); ++reading) {
    const auto same = std::find_if(groups.begin(), groups.end(),
                                   [&](const Group& group) { return same_series(*group.readings.front(), *reading); });
    Group& group = same == groups.end() ? groups.emplace_back() : *same;
    group.readings.push_back(&*reading);
  }
  std::vector<Series> all;
  for (Group& group : groups) {
    std::reverse(group.readings.begin(), group.readings.end());
    all.push_back(series_of(group, options));
  }
  return all;
}

}  // namespace opgate::core
