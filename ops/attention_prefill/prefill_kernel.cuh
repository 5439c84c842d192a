#pragma once

#include <cstdint>

#include "../attention/head_tile.cuh"

namespace ops::attention_prefill {

using attention::kDim;
using attention::kSteps;

inline constexpr int kTile = 64;  // queries of a block, and keys of a step
inline constexpr int kThreads = 128;
inline constexpr int kExactTiles = 2;  // of queries: rows whose weights are not rounded
inline constexpr int kKeyGroups = kTile / 16;
inline constexpr int kTileBytes = kTile * attention::kRowBytes;
inline constexpr int kSharedBytes = 3 * kTileBytes;  // queries, keys, values

template <class T>
struct Problem {
  const T* q;  // [batch, seq, heads, 128]
  const T* k;  // [batch, seq, kv_heads, 128]
  const T* v;
  T* y;
  int seq, heads, kv_heads;
  float score_scale;  // log2(e) / sqrt(128)
};

// The scores of a warp's 16 queries with all keys of the tile. Queries are read from shared memory for each tile: held
// in registers they would push others out.
template <class T>
__device__ void multiply_tile(std::uint32_t queries, std::uint32_t keys, int first, float (&scores)[kKeyGroups][2][4]) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
    unsigned query[4];
    load_matrices(query, attention::chunk_at(queries, first + lane % 16, step * 2 + lane / 16));
#pragma unroll
    for (int g = 0; g < kKeyGroups; ++g) attention::multiply_keys<T>(keys, g * 16, step, query, scores[g]);
  }
}

// Turns scores into weights relative to the largest score so far, and brings sums and totals to it. In the first tile
// of a row at least one score is not masked, so the largest is finite from then on.
__device__ inline void weigh(float (&scores)[kKeyGroups][2][4], float score_scale, float (&largest)[2],
                             float (&total)[2], float (&sums)[2 * kSteps][4]) {
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    float now = -INFINITY;
#pragma unroll
    for (int g = 0; g < kKeyGroups; ++g) {
#pragma unroll
      for (int half = 0; half < 2; ++half) now = fmaxf(now, fmaxf(scores[g][half][2 * r], scores[g][half][2 * r + 1]));
    }
    now = fmaxf(largest[r], attention::row_max(now) * score_scale);
    const float keep = exp2f(largest[r] - now);
    largest[r] = now;
    total[r] *= keep;
#pragma unroll
    for (int g = 0; g < kKeyGroups; ++g) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
#pragma unroll
        for (int i = 2 * r; i < 2 * r + 2; ++i) {
          scores[g][half][i] = exp2f(fmaf(scores[g][half][i], score_scale, -now));
          total[r] += scores[g][half][i];
        }
      }
    }
#pragma unroll
    for (int n = 0; n < 2 * kSteps; ++n) {
      sums[n][2 * r] *= keep;
      sums[n][2 * r + 1] *= keep;
    }
  }
}

// In the tile on the diagonal, keys after the query do not count. Rows and keys count from the tile's first.
__device__ inline void mask_later_keys(int first_row, float (&scores)[kKeyGroups][2][4]) {
  const int row = first_row + static_cast<int>(threadIdx.x) % 32 / 4;
  const int pair = static_cast<int>(threadIdx.x) % 4 * 2;
#pragma unroll
  for (int g = 0; g < kKeyGroups; ++g) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        if (g * 16 + half * 8 + pair + i % 2 > row + i / 2 * 8) scores[g][half][i] = -INFINITY;
      }
    }
  }
}

// What rounding to T takes from the weights.
template <class T>
__device__ void keep_remainders(float (&weights)[kKeyGroups][2][4]) {
#pragma unroll
  for (int g = 0; g < kKeyGroups; ++g) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
#pragma unroll
      for (int i = 0; i < 4; ++i) weights[g][half][i] -= static_cast<float>(static_cast<T>(weights[g][half][i]));
    }
  }
}

template <class T>
__device__ void store_rows(T* y, std::int64_t pitch, int first_row, int rows, const float (&total)[2],
                           const float (&sums)[2 * kSteps][4]) {
  const int pair = static_cast<int>(threadIdx.x) % 4 * 2;
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    const int row = first_row + static_cast<int>(threadIdx.x) % 32 / 4 + 8 * r;
    const float scale = 1.0F / attention::row_sum(total[r]);
    if (row < rows) {
#pragma unroll
      for (int n = 0; n < 2 * kSteps; ++n) {
        *reinterpret_cast<unsigned*>(y + row * pitch + n * 8 + pair) =
            pack<T>(sums[n][2 * r] * scale, sums[n][2 * r + 1] * scale);
      }
    }
  }
}

// Limited by mma.sync, which reaches about 60 % of what wgmma does on Hopper, and by shared memory: each warp reads all
// keys and values for only 16 queries. 48 KB and at most 168 registers let three blocks share an SM and hide each
// other's softmax. Keys of the next tile come in during softmax and values, values during the scores.
template <class T>
__global__ void __launch_bounds__(kThreads, 3) prefill_kernel(Problem<T> p) {
  extern __shared__ __align__(128) char raw[];
  const std::uint32_t queries = shared_address(raw);
  const std::uint32_t keys = queries + kTileBytes;
  const std::uint32_t values = keys + kTileBytes;
  const int last = static_cast<int>(gridDim.x - 1 - blockIdx.x);  // of its tiles of keys; the longest rows go first
  const int head = static_cast<int>(blockIdx.y);
  const std::int64_t batch = blockIdx.z;
  const std::int64_t pitch = std::int64_t{p.heads} * kDim;
  const std::int64_t kv_pitch = std::int64_t{p.kv_heads} * kDim;
  const std::int64_t kv_offset = batch * p.seq * kv_pitch + std::int64_t{head / (p.heads / p.kv_heads)} * kDim;
  const std::int64_t first_query = std::int64_t{last} * kTile;
  const std::int64_t q_offset = (batch * p.seq + first_query) * pitch + std::int64_t{head} * kDim;
  const auto load = [&](std::uint32_t to, const T* from, int tile) {
    const std::int64_t first = std::int64_t{tile} * kTile;
    attention::copy_tile<kTile, kThreads>(to, from + kv_offset + first * kv_pitch, kv_pitch,
                                          p.seq - static_cast<int>(first));
    copy_commit();
  };
  attention::copy_tile<kTile, kThreads>(queries, p.q + q_offset, pitch, p.seq - static_cast<int>(first_query));
  load(keys, p.k, last);
  const int first_row = static_cast<int>(threadIdx.x) / 32 * 16;
  float sums[2 * kSteps][4] = {};
  float largest[2] = {-INFINITY, -INFINITY};
  float total[2] = {0, 0};
#pragma unroll 1
  for (int tile = last; tile >= 0; --tile) {
    copy_wait<0>();
    __syncthreads();  // the keys are there, and all warps are done with the values of the tile before
    load(values, p.v, tile);
    float scores[kKeyGroups][2][4] = {};
    multiply_tile<T>(queries, keys, first_row, scores);
    copy_wait<0>();
    __syncthreads();  // the values are there, and all warps are done with the keys
    if (tile > 0) load(keys, p.k, tile - 1);
    if (tile == last) mask_later_keys(first_row, scores);
    weigh(scores, p.score_scale, largest, total, sums);
#pragma unroll
    for (int g = 0; g < kKeyGroups; ++g) attention::add_values<T>(values, g * 16, scores[g], sums);
    if (last < kExactTiles) {
      // The first rows are means of a few values, far above the mean of thousands that later rows are, and their
      // rounded weights would show in them. Later rows average the rounding away.
      keep_remainders<T>(scores);
#pragma unroll
      for (int g = 0; g < kKeyGroups; ++g) attention::add_values<T>(values, g * 16, scores[g], sums);
    }
  }
  store_rows(p.y + q_offset, pitch, first_row, p.seq - static_cast<int>(first_query), total, sums);
}

}  // namespace ops::attention_prefill
