#include "core/level_test.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace opgate::core {
namespace {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Sum of squares about the mean, as the test would have it from a deviation that it believes to be the sample's.
double squares(std::span<const double> values, double mean, bool population_deviation) {
  double sum = 0;
  for (const double value : values) {
    sum += (value - mean) * (value - mean);
  }
  const auto count = static_cast<double>(values.size());
  return population_deviation ? sum * (count - 1) / count : sum;
}

double two_sided(double t, double degrees_of_freedom) {
  if (std::isinf(t)) {
    return 0;
  }
  return 2 * boost::math::cdf(boost::math::complement(boost::math::students_t(degrees_of_freedom), std::abs(t)));
}

}  // namespace

double relative_change(double before, double after) {
  const double forwards = before != 0 ? std::abs(after / before - 1) : 0;
  const double backwards = after != 0 ? std::abs(before / after - 1) : 0;
  return std::max(forwards, backwards);
}

LevelTest test_levels(std::span<const double> before, std::span<const double> after, const LevelTestOptions& options) {
  LevelTest test{mean(before), mean(after), 1};
  const auto left = static_cast<double>(before.size());
  const auto right = static_cast<double>(after.size());
  const double degrees_of_freedom = left + right - 2;
  if (degrees_of_freedom <= 0 || test.before == test.after) {
    return test;
  }
  // A level on the grid of the timer shows no spread at all; that it lies on the grid is known to half a step only.
  const double variance = (squares(before, test.before, options.population_deviation) +
                           squares(after, test.after, options.population_deviation)) /
                              degrees_of_freedom +
                          options.resolution * options.resolution / 12;
  test.p_value =
      two_sided((test.after - test.before) / std::sqrt(variance * (1 / left + 1 / right)), degrees_of_freedom);
  return test;
}

}  // namespace opgate::core
