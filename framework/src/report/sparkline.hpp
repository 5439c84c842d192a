#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace opgate::report {

struct Sparkline {
  std::string curve;  // low to high: _ . - = + * # @, or eight heights of blocks
  std::string marks;  // a ^ under each column that holds one of `marked`; empty without marks
};

// At most `columns` columns; where there are more values, each column shows the median of its share.
[[nodiscard]] Sparkline sparkline(std::span<const double> values, const std::vector<std::size_t>& marked,
                                  std::size_t columns, bool unicode);

}  // namespace opgate::report
