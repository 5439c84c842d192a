#include "core/energy_split.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace opgate::core {
namespace {

// Sums of the distances of one value to those before it, for every value: row j, column i holds the sum over the first
// i.
class DistanceSums {
 public:
  explicit DistanceSums(std::span<const double> values) : width_(values.size() + 1), sums_(values.size() * width_) {
    for (std::size_t j = 0; j < values.size(); ++j) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        sums_[j * width_ + i + 1] = sums_[j * width_ + i] + std::abs(values[i] - values[j]);
      }
    }
  }
  [[nodiscard]] double to_first(std::size_t value, std::size_t count) const { return sums_[value * width_ + count]; }

 private:
  std::size_t width_;
  std::vector<double> sums_;
};

double mean_pair(double sum, double count) {
  return count > 1 ? sum / (count - 1) : 0;
}

}  // namespace

std::optional<EnergySplit> best_energy_split(std::span<const double> values, std::size_t min_length) {
  const std::size_t length = std::max<std::size_t>(min_length, 1);
  if (values.size() < 2 * length) {
    return std::nullopt;
  }
  const DistanceSums sums(values);
  EnergySplit best{0, -std::numeric_limits<double>::infinity()};
  double within_left = 0;
  for (std::size_t at = 1; at + length <= values.size(); ++at) {
    within_left += sums.to_first(at - 1, at - 1);
    double between = 0;
    double within_right = 0;
    for (std::size_t end = at + 1; end <= values.size(); ++end) {
      between += sums.to_first(end - 1, at);
      within_right += sums.to_first(end - 1, end - 1) - sums.to_first(end - 1, at);
      if (at < length || end - at < length) {
        continue;
      }
      const auto left = static_cast<double>(at);
      const auto right = static_cast<double>(end - at);
      const double distance =
          2 / (left + right) * (between - right * mean_pair(within_left, left) - left * mean_pair(within_right, right));
      if (distance > best.distance) {
        best = {at, distance};
      }
    }
  }
  return best;
}

}  // namespace opgate::core
