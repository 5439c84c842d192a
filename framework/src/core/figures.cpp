#include "core/figures.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "core/statistics.hpp"

namespace opgate::core {
namespace {

template <class Field>
std::vector<std::int64_t> column(const std::vector<Sample>& samples, Field field) {
  std::vector<std::int64_t> values;
  values.reserve(samples.size());
  for (const Sample& sample : samples) {
    if (const std::optional<std::int64_t> value = field(sample)) {
      values.push_back(*value);
    }
  }
  return values;
}

template <class Field>
std::optional<double> median_of(const std::vector<Sample>& samples, Field field) {
  const std::vector<std::int64_t> values = column(samples, field);
  return values.empty() ? std::nullopt : std::optional(median(values));
}

std::optional<double> median_cycles(const std::vector<Sample>& samples) {
  std::vector<double> cycles;
  cycles.reserve(samples.size());
  for (const Sample& sample : samples) {
    if (sample.sm_mhz.value_or(0) <= 0) {
      return std::nullopt;
    }
    cycles.push_back(static_cast<double>(sample.busy_ns) * *sample.sm_mhz / 1000);
  }
  return median(std::move(cycles));
}

void add_span(SampleFigures& figures, const Measurement& measurement) {
  const auto latency = median_of(measurement.samples, [](const Sample& s) { return std::optional(s.latency_ns); });
  const auto gap = median_of(measurement.samples, [](const Sample& s) { return std::optional(s.gap_ns); });
  if (measurement.launch == Launch::queued) {
    figures.queued_latency_ns = latency;
    figures.device_gap_ns = gap;
    return;
  }
  figures.latency_ns = latency;
  // An event pair sees one span and no kernels, so the gaps inside are unknown.
  figures.gap_ns = measurement.timing == Timing::cupti ? gap : std::nullopt;
}

}  // namespace

SampleFigures sample_figures(const Measurement& measurement) {
  SampleFigures figures;
  const std::vector<Sample>& samples = measurement.samples;
  figures.samples = samples.size();
  if (samples.empty()) {
    return figures;
  }
  const std::vector<std::int64_t> busy = column(samples, [](const Sample& s) { return std::optional(s.busy_ns); });
  figures.busy_ns = median(busy);
  figures.p10_ns = quantile(busy, 0.1);
  figures.p90_ns = quantile(busy, 0.9);
  figures.trimmed_mean_ns = trimmed_mean(busy, kTrimEachSide);
  const std::vector<std::int64_t> work = column(samples, [](const Sample& s) { return s.work_ns; });
  figures.work_ns = work.size() == samples.size() ? std::optional(median(work)) : std::nullopt;
  figures.sm_mhz = median_of(samples, [](const Sample& s) -> std::optional<std::int64_t> { return s.sm_mhz; });
  figures.cycles = median_cycles(samples);
  for (const Sample& sample : samples) {
    if (sample.n_kernels) {
      figures.n_kernels = std::max(figures.n_kernels.value_or(0), *sample.n_kernels);
    }
  }
  add_span(figures, measurement);
  return figures;
}

SampleFigures figures_of(const ImplementationResult& implementation) {
  if (implementation.kept) {
    return implementation.kept->figures;
  }
  if (!implementation.imported || !implementation.imported->summary) {
    return sample_figures(implementation.measurement);
  }
  const Summary& summary = *implementation.imported->summary;
  SampleFigures figures;
  figures.busy_ns = summary.busy_ns;
  figures.p10_ns = summary.p10_ns;
  figures.p90_ns = summary.p90_ns;
  figures.latency_ns = summary.latency_ns;
  figures.gap_ns = summary.gap_ns;
  figures.sm_mhz = summary.sm_mhz;
  figures.n_kernels = summary.n_kernels;
  return figures;
}

std::vector<GroupFigures> group_figures(const std::vector<Sample>& samples, const std::vector<std::string>& names) {
  std::map<std::uint32_t, std::vector<std::int64_t>> by_group;
  for (const Sample& sample : samples) {
    by_group[sample.group].push_back(sample.busy_ns);
  }
  std::vector<GroupFigures> groups;
  groups.reserve(by_group.size());
  for (const auto& [group, busy] : by_group) {
    groups.push_back({group < names.size() ? names[group] : "group " + std::to_string(group), busy.size(),
                      static_cast<double>(busy.size()) / static_cast<double>(samples.size()),
                      median(std::span<const std::int64_t>(busy)), trimmed_mean(busy, kTrimEachSide)});
  }
  return groups;
}

std::vector<GroupFigures> group_figures(const ImplementationResult& implementation) {
  if (!implementation.kept) {
    return group_figures(implementation.measurement.samples, implementation.kernel_groups);
  }
  std::vector<GroupFigures> groups;
  for (const GroupReading& group : implementation.kept->groups) {
    groups.push_back({group.name, static_cast<std::size_t>(group.reading.samples), group.share, group.reading.time_ns,
                      group.reading.trimmed_ns.value_or(group.reading.time_ns)});
  }
  return groups;
}

}  // namespace opgate::core
