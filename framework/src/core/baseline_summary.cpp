#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/baseline.hpp"
#include "core/readings.hpp"
#include "core/statistics.hpp"

namespace opgate::core {
namespace {

MetricBaseline metric_of(std::vector<double> run_medians) {
  MetricBaseline metric;
  metric.centre_ns = median(run_medians);
  metric.noise_ns = sample_standard_deviation(run_medians).value_or(0);
  metric.run_medians_ns = std::move(run_medians);
  return metric;
}

// Time and cycles of runs or groups; cycles only when every one of them has a clock.
void fill_metrics(const std::vector<const MetricReading*>& readings, UnitBaseline& unit) {
  if (readings.empty()) {
    return;
  }
  std::vector<double> time;
  std::vector<double> cycles;
  for (const MetricReading* reading : readings) {
    time.push_back(reading->time_ns);
    if (reading->cycles) {
      cycles.push_back(*reading->cycles);
    }
  }
  if (cycles.size() == time.size()) {
    unit.cycles = metric_of(std::move(cycles));
  }
  unit.time = metric_of(std::move(time));
}

UnitBaseline summarise_unit(const std::vector<const RunReading*>& runs) {
  UnitBaseline unit;
  std::vector<const MetricReading*> pooled;
  std::set<std::string> names;
  bool mixed = false;
  for (const RunReading* run : runs) {
    pooled.push_back(&run->pooled);
    mixed = mixed || run->groups.size() > 1;
    for (const GroupReading& group : run->groups) {
      names.insert(group.name);
      unit.group_shares[group.name] += group.share / static_cast<double>(runs.size());
    }
  }
  fill_metrics(pooled, unit);
  for (const std::string& name : names) {
    std::vector<const MetricReading*> of_group;
    for (const RunReading* run : runs) {
      for (const GroupReading& group : run->groups) {
        if (group.name == name && group.reading.samples >= RuleOptions{}.min_group_samples) {
          of_group.push_back(&group.reading);
        }
      }
    }
    if (mixed) {
      fill_metrics(of_group, unit.groups[name]);
    }
  }
  return unit;
}

// One run that overlapped is enough; that none ever did takes all of them.
std::optional<bool> overlap_of(const std::vector<CaseRun>& runs) {
  bool known = !runs.empty();
  for (const CaseRun& run : runs) {
    const std::optional<bool> overlaps = kernels_overlap(run);
    if (overlaps.value_or(false)) {
      return true;
    }
    known = known && overlaps.has_value();
  }
  return known ? std::optional(false) : std::nullopt;
}

}  // namespace

CaseBaseline summarise(const std::vector<CaseRun>& runs) {
  CaseBaseline baseline;
  std::vector<RunReading> readings;
  readings.reserve(runs.size());  // addresses are kept below
  std::vector<const RunReading*> all;
  std::map<std::string, std::vector<const RunReading*>> by_unit;
  for (const CaseRun& run : runs) {
    std::optional<RunReading> reading = read_run(run);
    if (!reading) {
      continue;
    }
    readings.push_back(*std::move(reading));
    all.push_back(&readings.back());
    by_unit[run.unit].push_back(&readings.back());
  }
  if (!runs.empty()) {
    baseline.identity = runs.front().identity;
    baseline.conditions = runs.front().conditions;
  }
  baseline.kernels_overlap = overlap_of(runs);
  baseline.model = summarise_unit(all);
  for (const auto& [unit, of_unit] : by_unit) {
    baseline.units[unit] = summarise_unit(of_unit);
  }
  return baseline;
}

}  // namespace opgate::core
