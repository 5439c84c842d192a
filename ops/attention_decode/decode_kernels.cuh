#pragma once

#include <cstdint>

#include "../attention/head_tile.cuh"

namespace ops::attention_decode {

using attention::kDim;
using attention::kSteps;

inline constexpr int kWarps = 4;
inline constexpr int kThreads = kWarps * 32;
inline constexpr int kMostGroup = 16;  // query heads of one key head: the rows of an MMA
inline constexpr int kTileKeys = 64;   // 16 of each warp
inline constexpr int kStages = 3;
inline constexpr int kTileBytes = kTileKeys * attention::kRowBytes;
inline constexpr int kStageBytes = 2 * kTileBytes;  // keys, values
inline constexpr int kSharedBytes = kStages * kStageBytes;

template <class T>
struct Problem {
  const T* q;  // [batch, heads, 128]
  const T* k;  // [batch, kv_heads, keys, 128]
  const T* v;
  float* partial;  // [batch, heads, splits, 128]
  float2* scale;   // [batch, heads, splits]: the largest score in powers of two, and the sum of weights
  int heads, kv_heads, keys, splits, split_keys;
  float score_scale;  // log2(e) / sqrt(128)
};

// What a warp knows of its keys so far, for 16 query heads; a lane holds rows lane / 4 and lane / 4 + 8.
struct Running {
  float sums[2 * kSteps][4];
  float largest[2];
  float total[2];
};

// 16 query heads as the left operand; heads beyond the group are zeros.
template <class T>
__device__ void load_query(const T* q, int group, unsigned (&query)[kSteps][4]) {
  const int row = static_cast<int>(threadIdx.x) % 32 / 4;
  const int pair = static_cast<int>(threadIdx.x) % 4 * 2;
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int head = row + i % 2 * 8;
      const int column = step * 16 + i / 2 * 8 + pair;
      query[step][i] = head < group ? *reinterpret_cast<const unsigned*>(q + head * kDim + column) : 0U;
    }
  }
}

// One warp's 16 keys of a tile; keys from `inside` on are masked, possibly all.
template <class T>
__device__ void take_keys(std::uint32_t stage, int first, int inside, float score_scale,
                          const unsigned (&query)[kSteps][4], Running& run) {
  const int pair = static_cast<int>(threadIdx.x) % 4 * 2;
  float scores[2][4] = {};
#pragma unroll
  for (int step = 0; step < kSteps; ++step) attention::multiply_keys<T>(stage, first, step, query[step], scores);
#pragma unroll
  for (int half = 0; half < 2; ++half) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const bool masked = first + half * 8 + pair + i % 2 >= inside;
      scores[half][i] = masked ? -INFINITY : scores[half][i] * score_scale;
    }
  }
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    float largest = fmaxf(fmaxf(scores[0][2 * r], scores[0][2 * r + 1]), fmaxf(scores[1][2 * r], scores[1][2 * r + 1]));
    largest = fmaxf(run.largest[r], attention::row_max(largest));
    const float base = largest == -INFINITY ? 0.0F : largest;  // nothing but masked keys so far
    const float keep = exp2f(run.largest[r] - base);
    run.largest[r] = largest;
    run.total[r] *= keep;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
#pragma unroll
      for (int i = 2 * r; i < 2 * r + 2; ++i) {
        scores[half][i] = exp2f(scores[half][i] - base);
        run.total[r] += scores[half][i];
      }
    }
#pragma unroll
    for (int n = 0; n < 2 * kSteps; ++n) {
      run.sums[n][2 * r] *= keep;
      run.sums[n][2 * r + 1] *= keep;
    }
  }
  attention::add_values<T>(stage + kTileBytes, first, scores, run.sums);
}

// Adds up the warps' shares in shared memory and writes those of the group.
template <class T>
__device__ void write_split(const Problem<T>& p, std::int64_t first_head, int group, char* shared, Running& run) {
  auto* sums = reinterpret_cast<float*>(shared);     // [warp][row][128]
  auto* scales = sums + kWarps * kMostGroup * kDim;  // [warp][row][largest, total]
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int row = static_cast<int>(threadIdx.x) % 32 / 4;
  const int pair = static_cast<int>(threadIdx.x) % 4 * 2;
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    const int at = warp * kMostGroup + row + 8 * r;
#pragma unroll
    for (int n = 0; n < 2 * kSteps; ++n) {
      sums[at * kDim + n * 8 + pair] = run.sums[n][2 * r];
      sums[at * kDim + n * 8 + pair + 1] = run.sums[n][2 * r + 1];
    }
    const float total = attention::row_sum(run.total[r]);
    if (pair == 0) {
      scales[at * 2] = run.largest[r];
      scales[at * 2 + 1] = total;
    }
  }
  __syncthreads();
  const int column = static_cast<int>(threadIdx.x);
  for (int g = 0; g < group; ++g) {
    float largest = -INFINITY;  // finite afterwards: every split has a key
    for (int w = 0; w < kWarps; ++w) largest = fmaxf(largest, scales[(w * kMostGroup + g) * 2]);
    float total = 0;
    float sum = 0;
    for (int w = 0; w < kWarps; ++w) {
      const int at = w * kMostGroup + g;
      const float weight = exp2f(scales[at * 2] - largest);
      total += weight * scales[at * 2 + 1];
      sum += weight * sums[at * kDim + column];
    }
    const std::int64_t to = (first_head + g) * p.splits + blockIdx.x;
    p.partial[to * kDim + column] = sum;
    if (column == 0) p.scale[to] = make_float2(largest, total);
  }
}

// Limited by HBM: keys and values are read once, for all query heads of their group, with two tiles (64 KB) per block
// and two blocks per SM under way. A block does one split of one key head.
template <class T>
__global__ void __launch_bounds__(kThreads, 2) split_kernel(Problem<T> p) {
  extern __shared__ __align__(128) char raw[];
  const std::uint32_t shared = shared_address(raw);
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int group = p.heads / p.kv_heads;
  const std::int64_t kv_head = std::int64_t{blockIdx.z} * p.kv_heads + blockIdx.y;
  const std::int64_t first_head = std::int64_t{blockIdx.z} * p.heads + std::int64_t{blockIdx.y} * group;
  const int first_key = static_cast<int>(blockIdx.x) * p.split_keys;
  const int keys = min(p.split_keys, p.keys - first_key);
  const int tiles = (keys + kTileKeys - 1) / kTileKeys;
  const std::int64_t offset = (kv_head * p.keys + first_key) * kDim;
  const auto load = [&](int tile) {
    if (tile < tiles) {
      const std::uint32_t stage = shared + static_cast<std::uint32_t>(tile % kStages * kStageBytes);
      const std::int64_t from = offset + std::int64_t{tile} * kTileKeys * kDim;
      attention::copy_tile<kTileKeys, kThreads>(stage, p.k + from, kDim, keys - tile * kTileKeys);
      attention::copy_tile<kTileKeys, kThreads>(stage + kTileBytes, p.v + from, kDim, keys - tile * kTileKeys);
    }
    copy_commit();
  };
  for (int tile = 0; tile < kStages - 1; ++tile) load(tile);
  unsigned query[kSteps][4];
  load_query(p.q + first_head * kDim, group, query);
  Running run{{}, {-INFINITY, -INFINITY}, {0, 0}};
  for (int tile = 0; tile < tiles; ++tile) {
    copy_wait<kStages - 2>();
    __syncthreads();  // the tile is complete, and all warps are done with the one before it
    load(tile + kStages - 1);
    const std::uint32_t stage = shared + static_cast<std::uint32_t>(tile % kStages * kStageBytes);
    take_keys<T>(stage, warp * 16, keys - tile * kTileKeys, p.score_scale, query, run);
  }
  copy_wait<0>();
  __syncthreads();
  write_split(p, first_head, group, raw, run);
}

// Limited by latency: a few KB per head. One block of 128 threads a head; y = sum of the splits, each brought to the
// largest score of all.
template <class T>
__global__ void __launch_bounds__(kDim) combine_kernel(const float* partial, const float2* scale, T* y, int splits) {
  const std::int64_t head = blockIdx.x;
  const float2* scales = scale + head * splits;
  float largest = -INFINITY;
  for (int s = 0; s < splits; ++s) largest = fmaxf(largest, scales[s].x);
  float total = 0;
  float sum = 0;
#pragma unroll 4
  for (int s = 0; s < splits; ++s) {
    const float weight = exp2f(scales[s].x - largest);
    total += weight * scales[s].y;
    sum += weight * partial[(head * splits + s) * kDim + threadIdx.x];
  }
  y[head * kDim + threadIdx.x] = static_cast<T>(sum / total);
}

}  // namespace ops::attention_decode
