#include <algorithm>
#include <deque>
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

// Only where ticks are the limit a median says less than the trimmed mean.
bool is_a_few_ticks(double centre_ns, std::int32_t tick_ns) {
  const RuleOptions usual;
  return usual.ticks * (tick_ns > 0 ? tick_ns : kDefaultTickNs) > usual.tolerance * centre_ns;
}

// Time and cycles of runs or groups; cycles only when every one of them has a clock.
void fill_metrics(const std::vector<const MetricReading*>& readings, std::int32_t tick_ns, UnitBaseline& unit) {
  if (readings.empty()) {
    return;
  }
  std::vector<double> time;
  std::vector<double> cycles;
  std::vector<double> trimmed;
  for (const MetricReading* reading : readings) {
    time.push_back(reading->time_ns);
    if (reading->trimmed_ns) {
      trimmed.push_back(*reading->trimmed_ns);
    }
    if (reading->cycles) {
      cycles.push_back(*reading->cycles);
    }
  }
  if (cycles.size() == time.size()) {
    unit.cycles = metric_of(std::move(cycles));
  }
  unit.time = metric_of(std::move(time));
  if (trimmed.size() == unit.time->run_medians_ns.size() && is_a_few_ticks(unit.time->centre_ns, tick_ns)) {
    unit.subtick = metric_of(std::move(trimmed));
  }
}

UnitBaseline summarise_unit(const std::vector<const RunReading*>& runs, std::int32_t tick_ns) {
  UnitBaseline unit;
  std::vector<const MetricReading*> pooled;
  std::set<std::string> names;
  bool mixed = false;
  for (const RunReading* run : runs) {
    pooled.push_back(&run->pooled);
    mixed = mixed || run->groups.size() > 1;
    for (const GroupReading& group : run->groups) {
      names.insert(group.name);
      unit.group_shares[group.name] += group.share;
    }
  }
  // Divided once: the sum of n shares of 1 is n, that of n n-ths may be more than 1.
  for (auto& [name, share] : unit.group_shares) {
    share /= static_cast<double>(runs.size());
  }
  fill_metrics(pooled, tick_ns, unit);
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
      fill_metrics(of_group, tick_ns, unit.groups[name]);
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

// Ours and, by name, the libraries of runs that belong together.
struct Gathered {
  std::vector<const RunReading*> ours;
  std::map<std::string, std::vector<const RunReading*>> libraries;
};

UnitBaseline summarise_all(const Gathered& gathered, std::int32_t tick_ns) {
  UnitBaseline unit = summarise_unit(gathered.ours, tick_ns);
  for (const auto& [name, runs] : gathered.libraries) {
    unit.libraries[name] = summarise_unit(runs, tick_ns);
  }
  return unit;
}

std::optional<RunReading> read_library(const LibraryRun& library) {
  CaseRun run;
  run.samples = library.samples;
  run.group_names = library.group_names;
  return read_run(run);
}

}  // namespace

CaseBaseline summarise(const std::vector<CaseRun>& runs) {
  CaseBaseline baseline;
  std::deque<RunReading> readings;  // addresses are kept below
  Gathered all;
  std::map<std::string, Gathered> by_unit;
  for (const CaseRun& run : runs) {
    std::optional<RunReading> reading = read_run(run);
    if (!reading) {
      continue;
    }
    readings.push_back(*std::move(reading));
    all.ours.push_back(&readings.back());
    by_unit[run.unit].ours.push_back(&readings.back());
    for (const LibraryRun& library : run.libraries) {
      if (std::optional<RunReading> beside = read_library(library)) {
        readings.push_back(*std::move(beside));
        all.libraries[library.name].push_back(&readings.back());
        by_unit[run.unit].libraries[library.name].push_back(&readings.back());
      }
    }
  }
  const std::int32_t tick_ns = runs.empty() ? 0 : runs.front().tick_ns;
  if (!runs.empty()) {
    baseline.identity = runs.front().identity;
    baseline.conditions = runs.front().conditions;
  }
  baseline.kernels_overlap = overlap_of(runs);
  baseline.model = summarise_all(all, tick_ns);
  for (const auto& [unit, of_unit] : by_unit) {
    baseline.units[unit] = summarise_all(of_unit, tick_ns);
  }
  return baseline;
}

}  // namespace opgate::core
