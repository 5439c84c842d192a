#pragma once

#include <cstdint>

#include "../copy_async.cuh"
#include "../mma.cuh"

// Tiles of keys, values or queries of one head in shared memory, and a warp's products with them.
namespace ops::attention {

inline constexpr int kDim = 128;                // of a head
inline constexpr int kRowBytes = 2 * kDim;      // 16-bit elements
inline constexpr int kChunks = kRowBytes / 16;  // of a row
inline constexpr int kSteps = kDim / 16;        // MMAs along a head's dimension
inline constexpr float kLog2e = 1.4426950408889634F;

// Chunks are swapped within groups of eight by the row, so that eight rows of one column lie in different banks.
__device__ inline std::uint32_t chunk_at(std::uint32_t tile, int row, int chunk) {
  return tile + static_cast<std::uint32_t>(row * kRowBytes + (chunk ^ (row % 8)) * 16);
}

// Rows beyond `rows` (at least 1) become zeros. A thread copies one chunk of every kPass-th row.
template <int kRows, int kThreads, class T>
__device__ void copy_tile(std::uint32_t tile, const T* from, std::int64_t pitch, int rows) {
  constexpr int kPass = kThreads / kChunks;
  static_assert(kPass % 8 == 0 && kRows % kPass == 0, "a thread's rows share their swap");
  const int row = static_cast<int>(threadIdx.x) / kChunks;
  const int chunk = static_cast<int>(threadIdx.x) % kChunks;
  const std::uint32_t to = chunk_at(tile, row, chunk);
  const T* source = from + row * pitch + chunk * 8;
#pragma unroll
  for (int i = 0; i < kRows / kPass; ++i) {
    const bool inside = row + i * kPass < rows;
    copy_async(to + i * kPass * kRowBytes, inside ? source : from, inside);
    source += kPass * pitch;
  }
}

// scores (16 queries x 16 keys) of one warp += one step of 16 along the head; the keys are rows first.. of the tile.
template <class T>
__device__ void multiply_keys(std::uint32_t tile, int first, int step, const unsigned (&query)[4],
                              float (&scores)[2][4]) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  unsigned key[4];
  load_matrices(key, chunk_at(tile, first + lane / 16 * 8 + lane % 8, step * 2 + lane / 8 % 2));
  mma<T>(scores[0], query[0], query[1], query[2], query[3], key[0], key[1]);
  mma<T>(scores[1], query[0], query[1], query[2], query[3], key[2], key[3]);
}

// sums (16 queries x 128) += weights (16 queries x 16 keys) * the values in rows first.. of the tile.
template <class T>
__device__ void add_values(std::uint32_t tile, int first, const float (&weights)[2][4], float (&sums)[2 * kSteps][4]) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const unsigned w0 = pack<T>(weights[0][0], weights[0][1]);
  const unsigned w1 = pack<T>(weights[0][2], weights[0][3]);
  const unsigned w2 = pack<T>(weights[1][0], weights[1][1]);
  const unsigned w3 = pack<T>(weights[1][2], weights[1][3]);
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
    unsigned value[4];
    load_matrices_transposed(value, chunk_at(tile, first + lane % 16, step * 2 + lane / 16));
    mma<T>(sums[2 * step], w0, w1, w2, w3, value[0], value[1]);
    mma<T>(sums[2 * step + 1], w0, w1, w2, w3, value[2], value[3]);
  }
}

// Over the four lanes that hold parts of one row of scores.
__device__ inline float row_max(float mine) {
  mine = fmaxf(mine, __shfl_xor_sync(0xFFFFFFFFU, mine, 1));
  return fmaxf(mine, __shfl_xor_sync(0xFFFFFFFFU, mine, 2));
}
__device__ inline float row_sum(float mine) {
  mine += __shfl_xor_sync(0xFFFFFFFFU, mine, 1);
  return mine + __shfl_xor_sync(0xFFFFFFFFU, mine, 2);
}

}  // namespace ops::attention
