#pragma once

#include <cstdint>

// For the references only; the ops have kernels of their own for this.
namespace ops::moe {

// The row of a slot: how many slots go to lower experts, and how many earlier ones to its own.
__device__ inline std::int64_t counted_row(const std::int32_t* experts_of, std::int64_t slots, std::int64_t slot) {
  const std::int32_t mine = experts_of[slot];
  std::int64_t row = 0;
  for (std::int64_t other = 0; other < slots; ++other) {
    if (experts_of[other] < mine || (experts_of[other] == mine && other < slot)) ++row;
  }
  return row;
}

}  // namespace ops::moe
