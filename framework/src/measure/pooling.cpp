#include "measure/pooling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "core/kernel_name.hpp"
#include "core/statistics.hpp"

namespace opgate::measure {
namespace {

using Namer = std::string (*)(const std::string& mangled);

// From the shortest to the one that tells every kernel from every other.
constexpr std::array<Namer, 3> kNamers{core::short_kernel_name, core::kernel_instance_name, core::demangle};

// "2 x add_kernel + row_sum", in the order of names, so that both passes spell the same set the same way.
std::string describe(const GroupKey& group, Namer namer) {
  std::map<std::string, int> counts;
  for (const std::string& kernel : group.kernels) {
    ++counts[namer(kernel)];
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

// Short names while they tell the groups apart; two instances of one template need more.
std::vector<std::string> names_of(const std::vector<GroupKey>& groups) {
  std::vector<std::string> names;
  names.reserve(groups.size());
  for (const GroupKey& group : groups) {
    names.push_back(describe(group, kNamers.front()));
  }
  for (std::size_t level = 1; level < kNamers.size(); ++level) {
    const std::vector<std::string> before = names;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (std::count(before.begin(), before.end(), before[i]) > 1) {
        names[i] = describe(groups[i], kNamers.at(level));
      }
    }
  }
  return names;
}

GroupKey key_of(const core::KernelGroup& group, const std::vector<core::KernelInfo>& kernels) {
  GroupKey key{.kernels = {}, .copies = group.copies};
  for (const std::uint32_t kernel : group.kernels) {
    key.kernels.push_back(kernels.at(kernel).name);
  }
  std::sort(key.kernels.begin(), key.kernels.end());
  return key;
}

std::uint32_t group_index(Measured& measured, const GroupKey& key) {
  const auto found = std::find(measured.group_keys.begin(), measured.group_keys.end(), key);
  const auto index = static_cast<std::uint32_t>(std::distance(measured.group_keys.begin(), found));
  if (found == measured.group_keys.end()) {
    measured.group_keys.push_back(key);
  }
  return index;
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

double median_busy(const std::vector<Sample>& samples) {
  std::vector<double> busy;
  busy.reserve(samples.size());
  for (const Sample& sample : samples) {
    busy.push_back(static_cast<double>(sample.busy_ns));
  }
  return core::median(std::move(busy));
}

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
    renumbered.push_back(group_index(measured, key_of(group, outcome.records.kernels)));
  }
  measured.group_names = names_of(measured.group_keys);
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
