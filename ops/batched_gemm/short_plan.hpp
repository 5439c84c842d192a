#pragma once

#include <cstdint>

// How a block of batched_gemm's kernel for a short k takes its tiles.
namespace ops::batched_gemm {

inline constexpr int kShortK = 128;      // at most
inline constexpr int kShortTileN = 128;  // columns of c in a tile

struct ShortPlan {
  int rows;   // of a block: 128, two of which an SM takes, or 256
  int tiles;  // neighbours that a block takes
};

// Blocks with 256 rows read b half as often; with few rows of a they would be empty. A block's rows of a cost it about
// half a tile, and the last round of blocks as much as any.
[[nodiscard]] constexpr ShortPlan short_plan(int batch, int m, int n, int multiprocessors) {
  constexpr int kFewRows = 128;
  const bool is_low = m <= kFewRows;
  const int rows = is_low ? 128 : 256;
  const std::int64_t at_once = std::int64_t{is_low ? 2 : 1} * multiprocessors;
  const std::int64_t strips = std::int64_t{batch} * ((m - 1) / rows + 1);
  const int tiles = (n - 1) / kShortTileN + 1;
  ShortPlan best{};
  std::int64_t best_cost = 0;
  for (int each = tiles;; each = (each + 1) / 2) {
    const std::int64_t rounds = (strips * ((tiles + each - 1) / each) + at_once - 1) / at_once;
    const std::int64_t cost = rounds * (2 * each + 1);
    if (best.tiles == 0 || cost < best_cost) {
      best = {rows, each};
      best_cost = cost;
    }
    if (each == 1) return best;
  }
}

}  // namespace ops::batched_gemm
