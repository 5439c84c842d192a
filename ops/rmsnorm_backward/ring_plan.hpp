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

// How a block takes a row.
struct RingShape {
  int threads;     // at most
  int held;        // vectors of the row per thread
  int sm_threads;  // of all blocks that stay on an SM, at most
  bool operator==(const RingShape&) const = default;

  [[nodiscard]] constexpr std::int64_t vectors() const { return std::int64_t{threads} * held; }
};

// By the bits of an element, of which 16 take twice the registers per vector.
inline constexpr RingShape kShort16{.threads = 256, .held = kFewHeld, .sm_threads = 512};
// 60 us for 4096 rows of 8192 columns on an H200; 65 with 256 threads of four vectors.
inline constexpr RingShape kLong16{.threads = 512, .held = kFewHeld, .sm_threads = 1024};
inline constexpr RingShape kShort32{.threads = 512, .held = kFewHeld, .sm_threads = 512};
inline constexpr RingShape kLong32{.threads = 512, .held = kMostHeld, .sm_threads = 512};

// The shape that rows take, or nothing: they start unaligned, are short, too long for the threads' registers, or few.
[[nodiscard]] constexpr std::optional<RingShape> ring_shape(std::int64_t rows, std::int64_t columns,
                                                            int element_bytes) {
  const std::int64_t vectors = columns * element_bytes / kRingVector;
  if (columns * element_bytes % kRingVector != 0 || rows < kRingRows || vectors < kRingVectors) return std::nullopt;
  const RingShape short_rows = element_bytes == 4 ? kShort32 : kShort16;
  const RingShape long_rows = element_bytes == 4 ? kLong32 : kLong16;
  if (vectors <= short_rows.vectors()) return short_rows;
  if (vectors <= long_rows.vectors()) return long_rows;
  return std::nullopt;
}

// A stage holds a row of x and one of dy.
[[nodiscard]] constexpr int stage_bytes(std::int64_t columns, int element_bytes) {
  return static_cast<int>(2 * columns * element_bytes);
}

// Blocks of `threads` that stay on an SM which could hold `resident`: more warps gain nothing.
[[nodiscard]] constexpr int ring_blocks(RingShape shape, int threads, int resident) {
  return std::max(1, std::min(resident, shape.sm_threads / threads));
}

// Stages of each of an SM's blocks: no more than keep the memory busy, but two, since with one a row's readers wait for
// each fetch (8192 columns of f32 on an H200: 113 us with one, 101 with two).
[[nodiscard]] constexpr int ring_stages(int stage_bytes, int blocks) {
  const int together = stage_bytes * blocks;
  return std::clamp((kBytesUnderWay + together - 1) / together, kFewestStages, kMostStages);
}

}  // namespace ops::rmsnorm_backward
