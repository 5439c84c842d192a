#pragma once

#include <cstdint>

// How a block of batched_gemm's kernel for a short k takes its tiles.
namespace ops::batched_gemm {

inline constexpr int kShortK = 128;      // at most
inline constexpr int kShortTileN = 128;  // columns of c in a tile
inline constexpr int kShortBlocks = 2;   // of an SM
inline constexpr int kShortRounds = 2;   // of blocks, at least, so that the last one weighs little

// Neighbouring tiles a block takes, of the `tiles` in a row of them: `rows` rows in all.
[[nodiscard]] constexpr int tiles_per_block(std::int64_t rows, int tiles, int multiprocessors) {
  int each = tiles;
  while (each > 1 && rows * ((tiles + each - 1) / each) < std::int64_t{kShortRounds} * kShortBlocks * multiprocessors) {
    each = (each + 1) / 2;
  }
  return each;
}

}  // namespace ops::batched_gemm
