#pragma once

#include <cstdint>
#include <initializer_list>

// Which strips of b the blocks of a gemm with few rows take.
namespace ops::gemm {

inline constexpr int kStreamRows = 16;   // of a, at most: one tensor-core tile
inline constexpr int kStripColumns = 8;  // of c, at least: those of one MMA

inline constexpr std::int64_t kMostRowBytes = std::int64_t{1} << 30U;  // offsets in a row are ints

[[nodiscard]] constexpr bool is_streamed(int m, std::int64_t row_bytes) {
  return m <= kStreamRows && row_bytes <= kMostRowBytes;
}

struct StreamPlan {
  int groups;  // of kStripColumns columns in a strip
  int blocks;  // each takes as many strips as the others, or one less
};

// Every strip reads all of a once more: a wide one does it seldom, narrow ones share the work out evenly. The weights
// are those with which an H200 is fastest at each of gemm's shapes.
[[nodiscard]] constexpr StreamPlan stream_plan(int m, int n, int multiprocessors) {
  constexpr int kOfColumn = 10;  // a row of b, from memory
  constexpr int kOfRow = 12;     // a row of a, from L2
  constexpr int kOfWidth = 14;   // for each group but one: longer turns
  StreamPlan best{};
  std::int64_t best_cost = 0;
  for (const int groups : {1, 2, 4}) {
    if (groups == 4 && m <= 8) continue;
    const int columns = kStripColumns * groups;
    const int strips = (n + columns - 1) / columns;
    const int rounds = (strips + multiprocessors - 1) / multiprocessors;
    const std::int64_t cost = std::int64_t{rounds} * (kOfColumn * columns + kOfRow * m + kOfWidth * (groups - 1));
    if (best.groups == 0 || cost < best_cost) {
      best = {groups, (strips + rounds - 1) / rounds};
      best_cost = cost;
    }
  }
  return best;
}

}  // namespace ops::gemm
