#pragma once

#include <cstdint>
#include <optional>

// Which rows of log_softmax pass through shared memory on their way to registers: long ones, when there are many.
namespace ops::log_softmax {

inline constexpr int kStagedVector = 16;  // bytes, of a thread's loads and of bulk copies
inline constexpr int kStagedCluster = 4;  // blocks that share a row
inline constexpr int kStagedThreads = 512;
inline constexpr int kStagedFewHeld = 8;    // vectors of a row per thread, with two blocks on an SM
inline constexpr int kStagedMostHeld = 16;  // with one
inline constexpr std::int64_t kMostStagedRows = std::int64_t{1} << 30U;  // in an int, with a step added
inline constexpr std::int64_t kStagedRows = 528;  // 8 and more for each cluster that stays; fewer end unevenly

// How many vectors of a row a thread is to hold, or nothing: the row starts unaligned, is too short for a cluster or
// too long for its registers, or rows are few.
[[nodiscard]] constexpr std::optional<int> staged_held(std::int64_t rows, std::int64_t columns, int element_bytes) {
  constexpr int kPerHeld = kStagedCluster * kStagedThreads;
  const std::int64_t vectors = columns * element_bytes / kStagedVector;
  if (columns * element_bytes % kStagedVector != 0) return std::nullopt;
  if (rows < kStagedRows || rows > kMostStagedRows) return std::nullopt;
  if (vectors <= kPerHeld * kStagedFewHeld / 2 || vectors > kPerHeld * kStagedMostHeld) return std::nullopt;
  return vectors <= kPerHeld * kStagedFewHeld ? kStagedFewHeld : kStagedMostHeld;
}

// Shared memory for a block's share of a row.
[[nodiscard]] constexpr int staged_bytes(std::int64_t columns, int element_bytes) {
  const std::int64_t vectors = columns * element_bytes / kStagedVector;
  return static_cast<int>((vectors + kStagedCluster - 1) / kStagedCluster * kStagedVector);
}

}  // namespace ops::log_softmax
