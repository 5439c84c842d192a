#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace opgate::core {

// What counts as a change of level. The defaults were chosen on recorded noise: framework/bench/history measures them.
struct ChangePointOptions {
  std::size_t window = 50;     // runs looked at together; windows overlap by half
  double max_p_value = 0.001;  // of Student's t-test between the levels
  double min_change = 0.01;    // relative, of the means and of the medians
  std::size_t min_runs = 5;    // of every level: one odd night is no level
  double resolution = 0;       // steps the values come in (a timer's tick); a smaller change is none
  // Does what Apache Otava does where it departs from its sources, so that its published results can be compared with:
  // population deviations go into a test that takes sample deviations, and when a point is dropped the two after it are
  // tested anew instead of its two neighbours. And the means alone must differ.
  bool as_otava = false;
};

// The values before `index` and from it on, up to the next change points, lie on different levels.
struct ChangePoint {
  std::size_t index = 0;
  double before = 0;  // means of the two levels
  double after = 0;
  double change_pct = 0;
  double p_value = 1;
};

// Changes of level in values taken one after the other, by index. E-divisive (Matteson and James, "A Nonparametric
// Approach for Multiple Change Point Analysis of Multivariate Data", JASA 109, 2014) proposes them in sliding windows;
// Student's t-test and the size of the change decide ("Hunter: Using Change Point Detection to Hunt for Performance
// Regressions", Fleming et al., ICPE 2023), weakest first. The t-test instead of E-divisive's permutations: it needs no
// random numbers, so that the same history always gives the same points, and can tell more than one in a thousand.
[[nodiscard]] std::vector<ChangePoint> find_change_points(std::span<const double> values,
                                                          const ChangePointOptions& options = {});

}  // namespace opgate::core
