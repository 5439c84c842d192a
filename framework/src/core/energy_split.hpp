#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace opgate::core {

struct EnergySplit {
  std::size_t at = 0;   // first value of the right part
  double distance = 0;  // q-hat of E-divisive: the scaled energy distance between the parts
};

// Where two stretches of at least `min_length` values that meet, the first beginning at the front of `values` and the
// second ending anywhere, differ the most; nothing when `values` are too few. Quadratic in their number.
[[nodiscard]] std::optional<EnergySplit> best_energy_split(std::span<const double> values, std::size_t min_length);

}  // namespace opgate::core
