#include "core/readings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "core/statistics.hpp"

namespace opgate::core {
namespace {

constexpr double kTrim = 0.1;  // on each side
// Makes the median absolute deviation of a normal distribution its standard deviation.
constexpr double kMadToSigma = 1.4826;

// Groups carry a name where the kernels are known; imported samples may have only their number.
std::string group_name(const Sample& sample, const std::vector<std::string>& names) {
  if (sample.group < names.size()) {
    return names[sample.group];
  }
  return sample.n_kernels ? fmt::format("{} kernels", *sample.n_kernels) : std::string();
}

MetricReading reduce(const std::vector<const Sample*>& samples, std::int64_t tick_ns) {
  std::vector<std::int64_t> busy;
  std::vector<double> cycles;
  busy.reserve(samples.size());
  cycles.reserve(samples.size());
  for (const Sample* sample : samples) {
    busy.push_back(sample->busy_ns);
    if (sample->sm_mhz.value_or(0) > 0) {
      cycles.push_back(static_cast<double>(sample->busy_ns) * static_cast<double>(*sample->sm_mhz) / 1000);
    }
  }
  MetricReading reading;
  const double whole_ticks = median(busy);
  reading.time_ns =
      whole_ticks < static_cast<double>(kCoarseTicks * tick_ns) ? median_within_step(busy, tick_ns) : whole_ticks;
  reading.trimmed_ns = trimmed_mean(busy, kTrim);
  reading.samples = static_cast<int>(samples.size());
  if (cycles.size() == samples.size()) {
    // Cycles lie on no grid once the clock moves, so that their median takes its place in the tick from the times'.
    reading.cycles = median(std::move(cycles)) * reading.time_ns / whole_ticks;
  }
  return reading;
}

// A clock that was read beside the figure, and not around every reading, corrects nothing: no cycles.
std::optional<RunReading> read_summary(const Summary& summary, const std::vector<std::string>& group_names) {
  if (!(summary.busy_ns > 0)) {
    return std::nullopt;
  }
  const std::int64_t most = std::numeric_limits<int>::max();
  RunReading reading;
  reading.pooled.time_ns = summary.busy_ns;
  reading.pooled.samples = static_cast<int>(std::clamp<std::int64_t>(summary.readings.value_or(1), 1, most));
  Sample kernels;
  kernels.n_kernels = summary.n_kernels;
  reading.groups.push_back({group_name(kernels, group_names), 1, reading.pooled});
  return reading;
}

std::optional<RunReading> read_kept(const KeptFigures& kept) {
  if (!(kept.figures.busy_ns.value_or(0) > 0)) {
    return std::nullopt;
  }
  RunReading reading;
  reading.pooled = {*kept.figures.busy_ns, kept.figures.cycles, kept.figures.trimmed_mean_ns,
                    static_cast<int>(kept.figures.samples)};
  reading.groups = kept.groups;
  if (kept.groups.size() == 1) {
    reading.pooled = kept.groups.front().reading;
  }
  return reading;
}

}  // namespace

std::optional<bool> kernels_overlap(const CaseRun& run) {
  const std::int64_t tick_ns = run.tick_ns > 0 ? run.tick_ns : kDefaultTickNs;
  if (run.samples.empty() && run.kept) {
    // Medians do not show an overlap in single calls.
    return run.kept->figures.n_kernels == 1 ? std::optional(false) : std::nullopt;
  }
  if (run.samples.empty()) {
    return run.summary && run.summary->n_kernels == 1 ? std::optional(false) : std::nullopt;
  }
  bool known = true;
  for (const Sample& sample : run.samples) {
    if (sample.work_ns && *sample.work_ns - sample.busy_ns > tick_ns) {
      return true;
    }
    known = known && (sample.work_ns || sample.n_kernels == 1);
  }
  return known ? std::optional(false) : std::nullopt;
}

std::optional<RunReading> read_run(const CaseRun& run) {
  if (run.samples.empty() && run.kept) {
    return read_kept(*run.kept);
  }
  if (run.samples.empty() && run.summary) {
    return read_summary(*run.summary, run.group_names);
  }
  std::vector<const Sample*> usable;
  for (const Sample& sample : run.samples) {
    if (sample.busy_ns > 0) {
      usable.push_back(&sample);
    }
  }
  if (usable.empty()) {
    return std::nullopt;
  }
  RunReading reading;
  const std::int64_t tick_ns = run.tick_ns > 0 ? run.tick_ns : kDefaultTickNs;
  reading.pooled = reduce(usable, tick_ns);
  reading.ignored = static_cast<int>(run.samples.size() - usable.size());
  std::map<std::string, std::vector<const Sample*>> by_name;
  for (const Sample* sample : usable) {
    by_name[group_name(*sample, run.group_names)].push_back(sample);
  }
  for (const auto& [name, samples] : by_name) {
    const double share = static_cast<double>(samples.size()) / static_cast<double>(usable.size());
    reading.groups.push_back({name, share, by_name.size() == 1 ? reading.pooled : reduce(samples, tick_ns)});
  }
  return reading;
}

std::optional<Level> level_of(const std::optional<MetricBaseline>& metric) {
  if (!metric) {
    return std::nullopt;
  }
  std::vector<double> usable;
  std::copy_if(metric->run_medians_ns.begin(), metric->run_medians_ns.end(), std::back_inserter(usable),
               [](double value) { return value > 0; });
  if (usable.empty()) {
    return std::nullopt;
  }
  Level level;
  level.centre = median(usable);
  level.noise = sample_standard_deviation(usable).value_or(0);
  level.runs = static_cast<int>(usable.size());
  level.slowest = *std::max_element(usable.begin(), usable.end());
  std::vector<double> deviations;
  deviations.reserve(usable.size());
  for (const double value : usable) {
    deviations.push_back(std::abs(value - level.centre));
  }
  level.robust_noise = kMadToSigma * median(std::move(deviations));
  return level;
}

}  // namespace opgate::core
