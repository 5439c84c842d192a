#pragma once

#include <span>

namespace opgate::core {

// Two stretches of values, each at a level of its own if p_value is small.
struct LevelTest {
  double before = 0;  // means
  double after = 0;
  double p_value = 1;
};

// The larger of the changes forwards and backwards, so that a fall counts like the rise that undoes it.
[[nodiscard]] double relative_change(double before, double after);

struct LevelTestOptions {
  double resolution = 0;              // values that come in steps carry a uniform error of one step
  bool population_deviation = false;  // divide by n where the test wants n - 1
};

// Student's two-sided t-test for equal variances. Neither stretch may be empty; two values alone tell nothing (p = 1).
[[nodiscard]] LevelTest test_levels(std::span<const double> before, std::span<const double> after,
                                    const LevelTestOptions& options);

}  // namespace opgate::core
