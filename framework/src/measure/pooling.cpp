#include "measure/pooling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "core/kernel_name.hpp"
#include "core/statistics.hpp"

namespace opgate::measure {
namespace {

double median_busy(const std::vector<Sample>& samples) {
  std::vector<double> busy;
  busy.reserve(samples.size());
  for (const Sample& sample : samples) {
    busy.push_back(static_cast<double>(sample.busy_ns));
  }
  return core::median(std::move(busy));
}

// "2 x add_kernel + row_sum", in the order of names, so that both passes spell the same set the same way.
std::string describe(const core::KernelGroup& group, const std::vector<core::KernelInfo>& kernels) {
  std::map<std::string, int> counts;
  for (const std::uint32_t kernel : group.kernels) {
    ++counts[core::short_kernel_name(kernels.at(kernel).name)];
  }
  std::string text;
  for (const auto& [name, count] : counts) {
    text += text.empty() ? "" : " + ";
    text += count > 1 ? fmt::format("{} x {}", count, name) : name;
  }
  if (group.copies > 0) {
    text += fmt::format("{}{} x copy", text.empty() ? "" : " + ", group.copies);
  }
  return text;
}

std::uint32_t group_index(Measured& measured, const std::string& name) {
  const auto found = std::find(measured.group_names.begin(), measured.group_names.end(), name);
  if (found == measured.group_names.end()) {
    measured.group_names.push_back(name);
    return static_cast<std::uint32_t>(measured.group_names.size() - 1);
  }
  return static_cast<std::uint32_t>(std::distance(measured.group_names.begin(), found));
}

void keep_kernels(Measured& measured, const PhaseOutcome& outcome) {
  for (const std::uint32_t index : outcome.reading.kernels) {
    const core::KernelInfo& kernel = outcome.records.kernels.at(index);
    if (std::find(measured.kernels.begin(), measured.kernels.end(), kernel) == measured.kernels.end()) {
      measured.kernels.push_back(kernel);
    }
  }
}

void append(Measured& measured, std::vector<Sample>&& samples) {
  measured.measurement.pass_medians_ns.push_back(median_busy(samples));
  std::move(samples.begin(), samples.end(), std::back_inserter(measured.measurement.samples));
}

}  // namespace

void add_pass(Measured& measured, PhaseOutcome&& outcome) {
  measured.measurement.retries += outcome.retries;
  if (!outcome.reading.issues.empty()) {
    measured.issues = std::move(outcome.reading.issues);
    measured.measurement.samples.clear();
    measured.measurement.pass_medians_ns.clear();
    return;
  }
  keep_kernels(measured, outcome);
  std::vector<std::uint32_t> renumbered;
  for (const core::KernelGroup& group : outcome.reading.groups) {
    renumbered.push_back(group_index(measured, describe(group, outcome.records.kernels)));
  }
  for (Sample& sample : outcome.reading.samples) {
    sample.group = renumbered.at(sample.group);
  }
  measured.measurement.device = outcome.reading.device;
  append(measured, std::move(outcome.reading.samples));
}

void add_event_pass(Measured& measured, std::vector<Sample>&& samples) {
  append(measured, std::move(samples));
}

}  // namespace opgate::measure
