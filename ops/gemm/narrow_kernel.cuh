#pragma once

#include <cooperative_groups.h>

#include <cstdint>
#include <type_traits>

#include "../copy_async.cuh"
#include "../slowdown.cuh"
#include "narrow_plan.hpp"
#include "problem.cuh"
#include "wgmma.cuh"

namespace ops::gemm {

inline constexpr int kTeams = kNarrowStepBytes / kRowBytes;  // of warpgroups: one multiplies while the other adds up

// What a block copies at a time: 256 bytes of each of the 64 rows of a and of its rows of b, of which each of two teams
// of warpgroups takes 128, swizzled for wgmma.
template <int kWidth, int kStrips>
struct NarrowTile {
  static constexpr int kThreads = kStrips * kTeams * 128;
  static constexpr int kColumns = kStrips * kWidth;     // of c
  static constexpr int kRows = kNarrowRows + kColumns;  // of a, then of b
  static constexpr int kTeamBytes = kRows * kRowBytes;
  static constexpr int kStageBytes = kTeams * kTeamBytes;
  static constexpr int kStages = 192 * 1024 / kStageBytes;
  static constexpr int kSharedBytes = kStages * kStageBytes + 1024;  // slack to align the stages to the swizzle
  static constexpr int kSumPitch = kColumns + 8;                     // floats: rows 8 banks apart
  static constexpr int kSums = kNarrowRows * kSumPitch;              // of a team
  static_assert(kTeams * kSums * 4 <= kStages * kStageBytes);
};

// Bytes of rows, so that one kernel does for every type; what multiplies knows the type.
struct Narrow {
  const unsigned char* a;  // m rows of row_bytes
  const unsigned char* b;  // n rows
  int m, n, row_bytes;     // a multiple of 16
};

// What one thread copies into a stage: 16 bytes of every kRowsAtOnce-th row.
template <class Shape>
class NarrowCopier {
 public:
  __device__ NarrowCopier(const Narrow& s, int column, int first_byte)
      : byte_(first_byte + static_cast<int>(threadIdx.x % kChunks) * 16), row_bytes_(s.row_bytes) {
    const int chunk = static_cast<int>(threadIdx.x % kChunks);
    const int first = static_cast<int>(threadIdx.x / kChunks);
    offset_ = static_cast<unsigned>(chunk / 8 * Shape::kTeamBytes + first * kRowBytes + (chunk % 8 ^ first % 8) * 16);
#pragma unroll
    for (int i = 0; i < kPasses; ++i) {
      const int row = first + i * kRowsAtOnce;
      const bool is_a = row < kNarrowRows;
      const int source = is_a ? row : column + row - kNarrowRows;
      const bool inside = source < (is_a ? s.m : s.n);
      from_[i] = inside ? (is_a ? s.a : s.b) + static_cast<std::int64_t>(source) * s.row_bytes + byte_ : nullptr;
    }
  }

  // The next bytes.
  __device__ void copy(std::uint32_t stage, const void* any) {
#pragma unroll
    for (int i = 0; i < kPasses; ++i) {
      const bool inside = from_[i] != nullptr && byte_ < row_bytes_;
      copy_async(stage + offset_ + i * kRowsAtOnce * kRowBytes, inside ? from_[i] : any, inside);
      if (from_[i] != nullptr) from_[i] += kNarrowStepBytes;
    }
    byte_ += kNarrowStepBytes;
  }

 private:
  static constexpr int kChunks = kNarrowStepBytes / 16;
  static constexpr int kRowsAtOnce = Shape::kThreads / kChunks;
  static constexpr int kPasses = Shape::kRows / kRowsAtOnce;
  static_assert(Shape::kRows % kRowsAtOnce == 0 && kRowsAtOnce % 8 == 0);

  const unsigned char* from_[kPasses];
  int byte_, row_bytes_;
  std::uint32_t offset_;
};

// The sums of the cluster's blocks, each of which stores its share of the m * kColumns results, 8 neighbours at a time.
template <class Shape, class Store>
__device__ void reduce_narrow(const Narrow& s, int column, float* mine, Store&& store) {
  const auto cluster = cooperative_groups::this_cluster();
  const int blocks = static_cast<int>(cluster.num_blocks());
  constexpr int kEights = Shape::kColumns / 8;
  const int each = ceil_div(s.m * kEights, blocks);
  const int first = static_cast<int>(cluster.block_rank()) * each;
  const int end = min(first + each, s.m * kEights);
  for (int i = first + static_cast<int>(threadIdx.x); i < end; i += Shape::kThreads) {
    const int row = i / kEights;
    const int at = i % kEights * 8;
    float sums[8] = {};
    for (int block = 0; block < blocks; ++block) {
      const float* of_block = cluster.map_shared_rank(mine, static_cast<unsigned>(block)) + row * Shape::kSumPitch + at;
#pragma unroll
      for (int team = 0; team < kTeams; ++team) {
        const auto* from = reinterpret_cast<const float4*>(of_block + team * Shape::kSums);
        const float4 low = from[0];
        const float4 high = from[1];
        const float eight[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
        for (int e = 0; e < 8; ++e) sums[e] += eight[e];
      }
    }
    if (column + at < s.n) store(row, column + at, sums);
  }
}

// c = a b^T for up to 64 rows of a. Limited by HBM: every weight is read once, by one block, and a once for each block,
// from L2. Where strips of b are too few for the device, the blocks of a cluster share one and take a part of k each.
// multiply(acc, a, b, is_first, meanwhile): acc + or = a step of 128 bytes, from descriptors; it calls `meanwhile`
// while the tensor cores are at work.
template <int kWidth, int kStrips, class Multiply, class Store>
__device__ void narrow(const Narrow& s, Multiply&& multiply, Store&& store) {
  using Shape = NarrowTile<kWidth, kStrips>;
  constexpr int kAhead = Shape::kStages - 1;
  extern __shared__ char raw[];
  const long long start = slow_start();
  const auto cluster = cooperative_groups::this_cluster();
  const int splits = static_cast<int>(cluster.num_blocks());
  const std::uint32_t raw_address = shared_address(raw);
  const std::uint32_t shared = (raw_address + 1023U) & ~1023U;
  const int column = static_cast<int>(blockIdx.x) / splits * Shape::kColumns;
  const int steps_in_all = ceil_div(s.row_bytes, kNarrowStepBytes);
  const int steps_each = ceil_div(steps_in_all, splits);
  const int first = static_cast<int>(cluster.block_rank()) * steps_each;
  const int steps = max(min(steps_in_all - first, steps_each), 0);
  NarrowCopier<Shape> copier(s, column, first * kNarrowStepBytes);
  int load_stage = 0;
  const auto load = [&](int step) {
    if (step < steps) {
      copier.copy(shared + load_stage * Shape::kStageBytes, s.a);
      load_stage = load_stage + 1 == Shape::kStages ? 0 : load_stage + 1;
    }
    copy_commit();
  };
#pragma unroll 1
  for (int step = 0; step < kAhead; ++step) load(step);
  const int team = static_cast<int>(threadIdx.x / 128 / kStrips);
  const int strip = static_cast<int>(threadIdx.x / 128 % kStrips);
  float acc[kWidth / 2] = {};
  int stage_index = 0;
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    copy_wait<kAhead - 1>();
    fence_async_proxy();
    __syncthreads();  // the stage is complete, and all are done with step - 1
    const std::uint32_t stage = shared + stage_index * Shape::kStageBytes + team * Shape::kTeamBytes;
    const std::uint32_t weights = stage + (kNarrowRows + strip * kWidth) * kRowBytes;
    multiply(acc, descriptor(stage), descriptor(weights), step == 0, [&] { load(step + kAhead); });
    stage_index = stage_index + 1 == Shape::kStages ? 0 : stage_index + 1;
  }
  __syncthreads();  // all are done with the stages, whose place the sums take
  auto* const sums = reinterpret_cast<float*>(raw + (shared - raw_address));
  const int lane = static_cast<int>(threadIdx.x % 32);
  float* const pair = sums + team * Shape::kSums +
                      (static_cast<int>(threadIdx.x / 32 % 4) * 16 + lane / 4) * Shape::kSumPitch + strip * kWidth +
                      lane % 4 * 2;
#pragma unroll
  for (int j = 0; j < kWidth / 8; ++j) {
    *reinterpret_cast<float2*>(pair + j * 8) = make_float2(acc[j * 4], acc[j * 4 + 1]);
    *reinterpret_cast<float2*>(pair + 8 * Shape::kSumPitch + j * 8) = make_float2(acc[j * 4 + 2], acc[j * 4 + 3]);
  }
  cluster.sync();
  reduce_narrow<Shape>(s, column, sums, store);
  stretch(start, [&](int) { reduce_narrow<Shape>(s, column, sums, store); });
  cluster.sync();  // the others have read this block's sums
}

// Eight neighbours of a row of c, as far as they lie in it.
template <class T>
__device__ void store_eight(T* c, int n, int row, int column, const float (&values)[8]) {
  using Two = typename Pair<T>::type;
  T* const to = c + static_cast<std::int64_t>(row) * n + column;
  if (n % 8 == 0) {
    __align__(16) Two pairs[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) pairs[i] = Pair<T>::round(values[i * 2], values[i * 2 + 1]);
    *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(pairs);
  } else {
    for (int i = 0; i < 8 && column + i < n; ++i) to[i] = static_cast<T>(values[i]);
  }
}

// `launch(width, strips)` with the constants of the kernel for this plan.
template <class Launch>
auto visit_narrow(const NarrowPlan& plan, Launch&& launch) {
  constexpr std::integral_constant<int, 1> kOne;
  if (plan.width == 32) return launch(std::integral_constant<int, 32>{}, kOne);
  if (plan.width == 48) return launch(std::integral_constant<int, 48>{}, kOne);
  if (plan.strips == 1) return launch(std::integral_constant<int, 64>{}, kOne);
  return launch(std::integral_constant<int, 64>{}, std::integral_constant<int, 2>{});
}

}  // namespace ops::gemm
