#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "core/claims.hpp"
#include "core/statistics.hpp"

namespace opgate::core {
namespace {

std::vector<std::uint32_t> devices_of(const std::vector<Work>& work) {
  std::vector<std::uint32_t> devices;
  for (const Work& piece : work) {
    if (devices.empty() ||
        (devices.back() != piece.device && std::find(devices.begin(), devices.end(), piece.device) == devices.end())) {
      devices.push_back(piece.device);
    }
  }
  std::sort(devices.begin(), devices.end());
  return devices;
}

// One bucket per key, all in one flat array: a counting sort.
template <class Value>
struct Buckets {
  std::vector<std::size_t> offsets;
  std::vector<Value> values;
  [[nodiscard]] std::span<Value> at(std::size_t key) {
    return std::span<Value>(values).subspan(offsets[key], offsets[key + 1] - offsets[key]);
  }
};

template <class Value, class KeyOf, class ValueOf>
Buckets<Value> bucket_work(const std::vector<Work>& work, std::size_t buckets, KeyOf key_of, ValueOf value_of) {
  Buckets<Value> result;
  result.offsets.assign(buckets + 1, 0);
  for (const Work& piece : work) {
    ++result.offsets[key_of(piece) + 1];
  }
  std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
  result.values.resize(work.size());
  std::vector<std::size_t> next = result.offsets;
  for (const Work& piece : work) {
    result.values[next[key_of(piece)]++] = value_of(piece);
  }
  return result;
}

using Extents = std::vector<Extent>;  // one per iteration

std::vector<Extents> extents_per_device(const std::vector<Work>& work, const std::vector<std::uint32_t>& devices,
                                        std::size_t iterations) {
  const auto key_of = [&](const Work& piece) {
    const auto place = std::lower_bound(devices.begin(), devices.end(), piece.device) - devices.begin();
    return static_cast<std::size_t>(place) * iterations + piece.iteration;
  };
  Buckets<Interval> buckets = bucket_work<Interval>(work, devices.size() * iterations, key_of,
                                                    [](const Work& piece) { return piece.interval; });
  std::vector<Extents> extents(devices.size(), Extents(iterations));
  for (std::size_t d = 0; d < devices.size(); ++d) {
    for (std::size_t i = 0; i < iterations; ++i) {
      extents[d][i] = measure_union(buckets.at(d * iterations + i));
    }
  }
  return extents;
}

// By the median, as the row's figure is; the lower device id on a tie.
std::size_t largest_device(const std::vector<Extents>& extents) {
  std::size_t largest = 0;
  double largest_ns = -1;
  for (std::size_t d = 0; extents.size() > 1 && d < extents.size(); ++d) {
    std::vector<std::int64_t> busy;
    busy.reserve(extents[d].size());
    for (const Extent& extent : extents[d]) {
      busy.push_back(extent.busy_ns);
    }
    if (const double median_ns = median(busy); median_ns > largest_ns) {
      largest = d;
      largest_ns = median_ns;
    }
  }
  return largest;
}

// What the device that worked longest did in an iteration; the lower device id on a tie.
Extent longest_in(const std::vector<Extents>& extents, std::size_t iteration) {
  const auto longest = std::max_element(extents.begin(), extents.end(), [&](const Extents& a, const Extents& b) {
    return a[iteration].busy_ns < b[iteration].busy_ns;
  });
  return (*longest)[iteration];
}

// Kernel index -> the lowest index with the same name, so that a changing grid does not split a group.
std::vector<std::uint32_t> same_names(const std::vector<KernelInfo>& kernels) {
  std::vector<std::uint32_t> order(kernels.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return kernels[a].name < kernels[b].name; });
  std::vector<std::uint32_t> first(kernels.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool repeats = i > 0 && kernels[order[i - 1]].name == kernels[order[i]].name;
    first[order[i]] = repeats ? first[order[i - 1]] : order[i];
  }
  return first;
}

// Gives iterations that launched the same names equally often the same number.
class Grouping {
 public:
  Grouping(const std::vector<KernelInfo>& kernels, std::vector<KernelGroup>& groups)
      : same_name_(same_names(kernels)), groups_(groups) {}

  std::uint32_t group_of(std::span<const std::uint32_t> launched) {
    names_.clear();
    for (const std::uint32_t kernel : launched) {
      names_.push_back(kernel < same_name_.size() ? same_name_[kernel] : kernel);  // kNoKernel sorts last
    }
    if (!std::is_sorted(names_.begin(), names_.end())) {
      std::sort(names_.begin(), names_.end());
    }
    if (names_ != last_names_ || groups_.empty()) {
      const auto [place, added] = numbers_.try_emplace(names_, static_cast<std::uint32_t>(groups_.size()));
      if (added) {
        groups_.push_back(describe(launched));
      }
      last_ = place->second;
      last_names_ = names_;
    }
    ++groups_[last_].samples;
    return last_;
  }

 private:
  static KernelGroup describe(std::span<const std::uint32_t> launched) {
    KernelGroup group;
    std::copy_if(launched.begin(), launched.end(), std::back_inserter(group.kernels),
                 [](std::uint32_t kernel) { return kernel != kNoKernel; });
    std::sort(group.kernels.begin(), group.kernels.end());
    group.copies = static_cast<int>(launched.size() - group.kernels.size());
    return group;
  }

  std::vector<std::uint32_t> same_name_;
  std::vector<KernelGroup>& groups_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers_;
  std::vector<std::uint32_t> names_, last_names_;
  std::uint32_t last_ = 0;
};

void fill_groups(const std::vector<Work>& work, const std::vector<KernelInfo>& kernels, Reading& reading) {
  Buckets<std::uint32_t> launched = bucket_work<std::uint32_t>(
      work, reading.samples.size(), [](const Work& piece) { return static_cast<std::size_t>(piece.iteration); },
      [](const Work& piece) { return piece.kernel; });
  Grouping grouping(kernels, reading.groups);
  for (std::size_t i = 0; i < reading.samples.size(); ++i) {
    Sample& sample = reading.samples[i];
    sample.group = grouping.group_of(launched.at(i));
    sample.n_kernels = static_cast<std::int32_t>(reading.groups[sample.group].kernels.size());
  }
  std::vector<bool> seen(kernels.size(), false);
  for (const Work& piece : work) {
    if (piece.kernel < seen.size()) {
      seen[piece.kernel] = true;
    }
  }
  for (std::uint32_t kernel = 0; const bool launched_once : seen) {
    if (launched_once) {
      reading.kernels.push_back(kernel);
    }
    ++kernel;
  }
}

// The mean of the clock before and after the call; none where either probe could not tell.
void fill_clocks(const std::vector<ClockReading>& clocks, std::vector<Sample>& samples) {
  constexpr double kMhzPerCycleNs = 1e3;
  for (std::size_t i = 0; i < samples.size() && 2 * i + 1 < clocks.size(); ++i) {
    const ClockReading& before = clocks[2 * i];
    const ClockReading& after = clocks[2 * i + 1];
    if (before.time_ns > 0 && after.time_ns > 0 && before.cycles > 0 && after.cycles > 0) {
      const double mean = (static_cast<double>(before.cycles) / static_cast<double>(before.time_ns) +
                           static_cast<double>(after.cycles) / static_cast<double>(after.time_ns)) /
                          2;
      samples[i].sm_mhz = static_cast<std::int32_t>(std::lround(mean * kMhzPerCycleNs));
    }
  }
}

}  // namespace

void fill_samples(const Claims& claims, const PhaseRecords& records, int iterations, Reading& reading) {
  if (iterations <= 0) {
    return;
  }
  const std::vector<std::uint32_t> devices = devices_of(claims.work);
  const std::vector<Extents> extents = extents_per_device(claims.work, devices, static_cast<std::size_t>(iterations));
  const std::size_t largest = largest_device(extents);
  reading.devices = static_cast<int>(devices.size());
  reading.device = static_cast<std::int32_t>(devices[largest]);
  reading.samples.resize(static_cast<std::size_t>(iterations));
  for (std::size_t i = 0; i < reading.samples.size(); ++i) {
    Extent extent = extents[largest][i];
    if (extent == Extent{}) {
      extent = longest_in(extents, i);
    }
    reading.samples[i].busy_ns = extent.busy_ns;
    reading.samples[i].latency_ns = extent.span_ns;
    reading.samples[i].gap_ns = extent.gap_ns();
    reading.samples[i].work_ns = extent.work_ns;
  }
  fill_clocks(records.stage.clocks, reading.samples);
  fill_groups(claims.work, records.kernels, reading);
}

}  // namespace opgate::core
