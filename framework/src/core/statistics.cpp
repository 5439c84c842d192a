#include "core/statistics.hpp"

#include <algorithm>
#include <cmath>

#include "opgate/error.hpp"

namespace opgate::core {
namespace {

void require_samples(std::size_t count) {
  if (count == 0) {
    throw Error(ErrorKind::attribution, "there are no samples to summarise", {}, "measure at least one iteration");
  }
}

void require_time(double busy_ns) {
  if (!(busy_ns > 0)) {
    throw Error(ErrorKind::impossible, "a rate needs a busy time above zero", {},
                "choose a workload that takes longer than one tick of the timer");
  }
}

template <class T>
double median_in_place(std::vector<T>& values) {
  require_samples(values.size());
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  const auto upper = static_cast<double>(*middle);
  if (values.size() % 2 == 1) {
    return upper;
  }
  const auto lower = static_cast<double>(*std::max_element(values.begin(), middle));
  return lower + (upper - lower) / 2;
}

double round_half_to_even(double value) {
  const double below = std::floor(value);
  const double fraction = value - below;
  if (fraction != 0.5) {
    return fraction < 0.5 ? below : below + 1;
  }
  return std::fmod(below, 2) == 0 ? below : below + 1;
}

}  // namespace

double median(std::vector<double> values) {
  return median_in_place(values);
}

double median(std::span<const std::int64_t> values) {
  std::vector<std::int64_t> copy(values.begin(), values.end());
  return median_in_place(copy);
}

double median_within_step(std::span<const std::int64_t> values, std::int64_t step) {
  std::vector<std::int64_t> sorted(values.begin(), values.end());
  const double plain = median_in_place(sorted);
  std::sort(sorted.begin(), sorted.end());
  const std::size_t count = sorted.size();
  const std::int64_t lower_middle = sorted[(count - 1) / 2];
  if (step <= 1 || sorted[count / 2] - lower_middle > step) {
    return plain;
  }
  // Around a sample and not around a multiple of the step: CUPTI's readings are off the grid by a nanosecond at times.
  const double low = static_cast<double>(lower_middle) - static_cast<double>(step) / 2;
  const auto first = std::partition_point(sorted.begin(), sorted.end(),
                                          [&](std::int64_t value) { return static_cast<double>(value) < low; });
  const auto last = std::partition_point(first, sorted.end(), [&](std::int64_t value) {
    return static_cast<double>(value) < low + static_cast<double>(step);
  });
  const auto below = static_cast<double>(first - sorted.begin());
  const auto inside = static_cast<double>(last - first);
  return low + static_cast<double>(step) * (static_cast<double>(count) / 2 - below) / inside;
}

std::optional<double> quantile(std::span<const std::int64_t> values, double q) {
  require_samples(values.size());
  if (values.size() == 1) {
    return std::nullopt;
  }
  std::vector<std::int64_t> copy(values.begin(), values.end());
  const auto last = static_cast<double>(copy.size() - 1);
  const double rank = std::clamp(round_half_to_even(q * last), 0.0, last);
  const auto place = copy.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(copy.begin(), place, copy.end());
  return static_cast<double>(*place);
}

double trimmed_mean(std::span<const std::int64_t> values, double trim_each_side) {
  require_samples(values.size());
  std::vector<std::int64_t> copy(values.begin(), values.end());
  std::sort(copy.begin(), copy.end());
  const auto wanted = static_cast<std::size_t>(std::max(0.0, trim_each_side) * static_cast<double>(copy.size()));
  const std::size_t trimmed = std::min(wanted, (copy.size() - 1) / 2);  // at least one value stays
  double sum = 0;
  for (std::size_t i = trimmed; i < copy.size() - trimmed; ++i) {
    sum += static_cast<double>(copy[i]);
  }
  return sum / static_cast<double>(copy.size() - 2 * trimmed);
}

std::optional<double> sample_standard_deviation(std::span<const double> values) {
  if (values.size() < 2) {
    return std::nullopt;
  }
  double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  const double mean = sum / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) {
    squares += (value - mean) * (value - mean);
  }
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

int iterations_for(std::int64_t budget_ns, double cost_ns, int lower, int upper) {
  if (!(cost_ns > 0)) {
    return upper;
  }
  const double wanted = std::round(static_cast<double>(budget_ns) / cost_ns);
  return static_cast<int>(std::clamp(wanted, static_cast<double>(lower), static_cast<double>(upper)));
}

double tflops(double flops, double busy_ns) {
  require_time(busy_ns);
  return flops / (busy_ns / 1e6) / 1e9;
}

double bandwidth_tbs(double bytes, double busy_ns) {
  require_time(busy_ns);
  return bytes / (busy_ns / 1e6) / 1e9;
}

}  // namespace opgate::core
