#include "report/sparkline.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/statistics.hpp"

namespace opgate::report {
namespace {

constexpr std::array<const char*, 8> kBlocks{"\u2581", "\u2582", "\u2583", "\u2584",
                                             "\u2585", "\u2586", "\u2587", "\u2588"};
constexpr std::array<const char*, 8> kAscii{"_", ".", "-", "=", "+", "*", "#", "@"};

}  // namespace

Sparkline sparkline(std::span<const double> values, const std::vector<std::size_t>& marked, std::size_t columns,
                    bool unicode) {
  Sparkline line;
  if (values.empty() || columns == 0) {
    return line;
  }
  const std::size_t width = std::min(values.size(), columns);
  std::vector<double> heights;
  for (std::size_t column = 0; column < width; ++column) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(column * values.size() / width);
    const auto end = values.begin() + static_cast<std::ptrdiff_t>((column + 1) * values.size() / width);
    heights.push_back(core::median(std::vector<double>(begin, end)));
  }
  const auto [low, high] = std::minmax_element(heights.begin(), heights.end());
  const double range = *high - *low;
  const auto& steps = unicode ? kBlocks : kAscii;
  for (const double height : heights) {
    const double place = range > 0 ? (height - *low) / range * static_cast<double>(steps.size() - 1) : 0;
    line.curve += steps[static_cast<std::size_t>(std::lround(place))];
  }
  std::string marks(width, ' ');
  for (const std::size_t index : marked) {
    std::size_t column = 0;
    while (column + 1 < width && (column + 1) * values.size() / width <= index) {
      ++column;
    }
    marks[column] = '^';
  }
  marks.resize(marks.find_last_not_of(' ') + 1);
  line.marks = std::move(marks);
  return line;
}

}  // namespace opgate::report
