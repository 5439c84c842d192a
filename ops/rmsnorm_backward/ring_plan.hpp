#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

// Which rows of rmsnorm_backward pass through a ring in shared memory on their way to registers, and how long it is.
namespace ops::rmsnorm_backward {

inline constexpr int kFewHeld = 2;  // vectors of a row per thread, each with its own share of dw
inline constexpr int kMostHeld = 4;
inline constexpr int kRingVector = 16;           // bytes, of a thread's loads and of bulk copies
inline constexpr int kRingVectors = 512;         // in a row, at least: copies of 8 KiB
inline constexpr std::int64_t kRingRows = 1056;  // eight for each of 132 SMs; with fewer a ring has little to overlap
inline constexpr int kFewestStages = 2;
inline constexpr int kMostStages = 4;
inline constexpr int kBytesUnderWay = 64 * 1024;  // of an SM, to reach the rate of the memory
inline constexpr int kRingSmThreads = 512;

// Threads of a block at most: elements of 16 bits take twice the registers per vector.
[[nodiscard]] constexpr int ring_threads(int element_bytes) {
  return element_bytes == 4 ? 512 : 256;
}

// How many vectors of a row a thread is to hold, or nothing: the row starts unaligned, is short, or too long for the
// threads' registers, or rows are few.
[[nodiscard]] constexpr std::optional<int> ring_held(std::int64_t rows, std::int64_t columns, int element_bytes) {
  const std::int64_t vectors = columns * element_bytes / kRingVector;
  const int threads = ring_threads(element_bytes);
  if (columns * element_bytes % kRingVector != 0 || rows < kRingRows) return std::nullopt;
  if (vectors < kRingVectors || vectors > std::int64_t{threads} * kMostHeld) return std::nullopt;
  return vectors <= std::int64_t{threads} * kFewHeld ? kFewHeld : kMostHeld;
}

// A stage holds a row of x and one of dy.
[[nodiscard]] constexpr int stage_bytes(std::int64_t columns, int element_bytes) {
  return static_cast<int>(2 * columns * element_bytes);
}

// Blocks that stay on an SM which could hold `resident`: more warps gain nothing.
[[nodiscard]] constexpr int ring_blocks(int threads, int resident) {
  return std::max(1, std::min(resident, kRingSmThreads / threads));
}

// Stages of each of an SM's blocks: no more than keep the memory busy, but two, since with one a row's readers wait for
// each fetch (8192 columns of f32 on an H200: 113 us with one, 101 with two).
[[nodiscard]] constexpr int ring_stages(int stage_bytes, int blocks) {
  const int together = stage_bytes * blocks;
  return std::clamp((kBytesUnderWay + together - 1) / together, kFewestStages, kMostStages);
}

}  // namespace ops::rmsnorm_backward
