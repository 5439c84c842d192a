#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace opgate::core {

// All take samples in any order and throw Error(attribution) on none; even counts average the middle two.
[[nodiscard]] double median(std::vector<double> values);
[[nodiscard]] double median(std::span<const std::int64_t> values);
// The median of readings of a timer that steps by `step`, interpolated inside the step (the median of grouped data): of
// samples on two ticks it tells where between them the centre lies. With a gap wider than a step in the middle, and
// for steps of 0 and 1, the plain median.
[[nodiscard]] double median_within_step(std::span<const std::int64_t> values, std::int64_t step);
// Nearest rank at round-half-to-even(q * (n - 1)); none for n = 1.
[[nodiscard]] std::optional<double> quantile(std::span<const std::int64_t> values, double q);
[[nodiscard]] double trimmed_mean(std::span<const std::int64_t> values, double trim_each_side);
// n - 1 in the denominator; none for fewer than two values.
[[nodiscard]] std::optional<double> sample_standard_deviation(std::span<const double> values);

// clamp(round(budget / cost), lower, upper); a cost near zero gives upper.
[[nodiscard]] int iterations_for(std::int64_t budget_ns, double cost_ns, int lower, int upper);

[[nodiscard]] double tflops(double flops, double busy_ns);         // flops / busy_ms / 1e9
[[nodiscard]] double bandwidth_tbs(double bytes, double busy_ns);  // bytes / busy_ms / 1e9

}  // namespace opgate::core
