#pragma once

#include <algorithm>
#include <cstdint>

namespace opgate::measure {

// Of kernels that step over any number of elements.
inline constexpr unsigned kStepThreads = 256;
inline constexpr unsigned kMaxStepBlocks = 2048;

[[nodiscard]] inline unsigned step_blocks(std::int64_t items) {
  const std::int64_t blocks = (items + kStepThreads - 1) / kStepThreads;
  return static_cast<unsigned>(std::clamp<std::int64_t>(blocks, 1, kMaxStepBlocks));
}

}  // namespace opgate::measure
