#pragma once

#include <cstdint>

#include "stream_plan.hpp"

// Which strips of b, and which parts of k, the blocks of a gemm with up to 64 rows take.
namespace ops::gemm {

inline constexpr int kNarrowRows = 64;        // of a, at most: those of one wgmma
inline constexpr int kNarrowStepBytes = 256;  // of a row, which a block takes at a time

[[nodiscard]] constexpr bool is_narrow(int m, std::int64_t row_bytes) {
  return m <= kNarrowRows && row_bytes <= kMostRowBytes;
}

struct NarrowPlan {
  int width;     // columns of c that a warpgroup multiplies
  int strips;    // of that width in a block
  int splits;    // of k: blocks of a cluster
  int clusters;  // along n
};

// The fewest rows to copy, one block after the other. Every block copies its rows of b and all of a: wide ones copy a
// seldom, narrow ones share the work out evenly, and where even these are too few, two share the rows' length. The
// weights are those with which an H200 is fastest at n, k = 4096 to 28672; more than two blocks of a cluster find no
// place at once in all of its processor clusters.
[[nodiscard]] constexpr NarrowPlan narrow_plan(int n, int row_bytes, int multiprocessors) {
  constexpr std::int64_t kOfBlock = 770;   // rows that could be copied while it begins and ends
  constexpr std::int64_t kOfSplit = 2200;  // while blocks wait for each other and add up
  constexpr NarrowPlan kChoices[] = {{32, 1, 1, 0}, {48, 1, 1, 0}, {64, 1, 1, 0}, {64, 2, 1, 0}, {64, 1, 2, 0}};
  const int steps = (row_bytes + kNarrowStepBytes - 1) / kNarrowStepBytes;
  NarrowPlan best{};
  std::int64_t best_cost = 0;
  for (NarrowPlan plan : kChoices) {
    const int columns = plan.width * plan.strips;
    plan.clusters = (n + columns - 1) / columns;
    const std::int64_t blocks = std::int64_t{plan.clusters} * plan.splits;
    const std::int64_t rounds = (blocks + multiprocessors - 1) / multiprocessors;
    const std::int64_t copied = std::int64_t{(steps + plan.splits - 1) / plan.splits} * (kNarrowRows + columns);
    const std::int64_t cost = rounds * (copied + kOfBlock) + (plan.splits > 1 ? kOfSplit : 0);
    if (best.width == 0 || cost < best_cost) {
      best = plan;
      best_cost = cost;
    }
  }
  return best;
}

}  // namespace ops::gemm
