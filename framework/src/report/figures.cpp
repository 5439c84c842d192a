#include "report/figures.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "core/statistics.hpp"

namespace opgate::report {
namespace {

template <class Field>
std::optional<double> median_of(const std::vector<Sample>& samples, Field field) {
  std::vector<std::int64_t> values;
  for (const Sample& sample : samples) {
    if (const std::optional<std::int64_t> value = field(sample)) {
      values.push_back(*value);
    }
  }
  return values.empty() ? std::nullopt : std::optional(core::median(std::span<const std::int64_t>(values)));
}

void add_rates(Figures& figures, const core::CaseIdentity& identity) {
  if (!figures.busy_ns || *figures.busy_ns <= 0) {
    return;
  }
  if (identity.flops) {
    figures.tflops = core::tflops(*identity.flops, *figures.busy_ns);
  }
  if (identity.bytes_read && identity.bytes_written) {
    figures.bandwidth_tbs = core::bandwidth_tbs(*identity.bytes_read + *identity.bytes_written, *figures.busy_ns);
  } else if (identity.bytes) {
    figures.bandwidth_tbs = core::bandwidth_tbs(*identity.bytes, *figures.busy_ns);
  }
}

void add_span(Figures& figures, const core::ImplementationResult& implementation) {
  const Measurement& measurement = implementation.measurement;
  const auto latency = median_of(measurement.samples, [](const Sample& s) { return std::optional(s.latency_ns); });
  const auto gap = median_of(measurement.samples, [](const Sample& s) { return std::optional(s.gap_ns); });
  if (!implementation.imported && measurement.launch == Launch::queued) {
    figures.queued_latency_ns = latency;
    figures.device_gap_ns = gap;
    return;
  }
  figures.latency_ns = latency;
  // An event pair sees one span and no kernels, so the gaps inside are unknown.
  figures.gap_ns = implementation.imported || measurement.timing == Timing::cupti ? gap : std::nullopt;
}

std::vector<GroupFigures> groups_of(const std::vector<Sample>& samples, const std::vector<std::string>& names) {
  std::map<std::uint32_t, std::vector<std::int64_t>> by_group;
  for (const Sample& sample : samples) {
    by_group[sample.group].push_back(sample.busy_ns);
  }
  std::vector<GroupFigures> groups;
  groups.reserve(by_group.size());
  for (const auto& [group, busy] : by_group) {
    groups.push_back({group < names.size() ? names[group] : "group " + std::to_string(group),
                      static_cast<double>(busy.size()) / static_cast<double>(samples.size()),
                      core::median(std::span<const std::int64_t>(busy))});
  }
  return groups;
}

Figures figures_of(const core::Summary& summary, const core::CaseIdentity& identity) {
  Figures figures;
  figures.summary = summary;
  figures.busy_ns = summary.busy_ns;
  figures.p10_ns = summary.p10_ns;
  figures.p90_ns = summary.p90_ns;
  figures.latency_ns = summary.latency_ns;
  figures.gap_ns = summary.gap_ns;
  figures.sm_mhz = summary.sm_mhz;
  figures.n_kernels = summary.n_kernels;
  add_rates(figures, identity);
  return figures;
}

}  // namespace

Figures figures_of(const core::ImplementationResult& implementation, const core::CaseIdentity& identity) {
  Figures figures;
  const std::vector<Sample>& samples = implementation.measurement.samples;
  if (implementation.imported && implementation.imported->summary) {
    return figures_of(*implementation.imported->summary, identity);
  }
  figures.samples = samples.size();
  if (samples.empty()) {
    return figures;
  }
  std::vector<std::int64_t> busy;
  for (const Sample& sample : samples) {
    busy.push_back(sample.busy_ns);
    if (sample.n_kernels) {
      figures.n_kernels = std::max(figures.n_kernels.value_or(0), *sample.n_kernels);
    }
  }
  figures.busy_ns = core::median(std::span<const std::int64_t>(busy));
  figures.p10_ns = core::quantile(busy, 0.1);
  figures.p90_ns = core::quantile(busy, 0.9);
  figures.sm_mhz = median_of(samples, [](const Sample& s) -> std::optional<std::int64_t> { return s.sm_mhz; });
  add_span(figures, implementation);
  add_rates(figures, identity);
  figures.groups = groups_of(samples, implementation.kernel_groups);
  return figures;
}

const core::ImplementationResult* ours_of(const core::Attempt& attempt) {
  const auto ours = std::find_if(attempt.implementations.begin(), attempt.implementations.end(),
                                 [](const auto& i) { return i.measurement.name.empty(); });
  return ours == attempt.implementations.end() ? nullptr : &*ours;
}

}  // namespace opgate::report
