#pragma once

#include <cstdint>

#include "../mma.cuh"
#include "../slowdown.cuh"
#include "problem.cuh"

namespace ops::gemm {

inline constexpr int kDecodeMaxRows = 16;  // one tensor-core tile
inline constexpr int kDecodeWarps = 8;

// One warp: all kRows (8 or 16) rows of a times 8 * kGroups columns over kSteps * 32 values of k. A lane loads 8
// neighbouring k values of a row (16 bytes) and feeds them to two MMAs as four pairs; a and b are permuted along k
// alike, which a dot product does not notice.
template <class T, int kRows, int kGroups, int kSteps>
__device__ void multiply_strip(const Problem<T>& p, int column, int k0, float (&acc)[kGroups][4]) {
  const int row = static_cast<int>(threadIdx.x % 32 / 4);
  const int lane_k = static_cast<int>(threadIdx.x % 4 * 8);
  const uint4 zero = make_uint4(0, 0, 0, 0);
  uint4 weight[kSteps][kGroups];
  uint4 low[kSteps];
  uint4 high[kSteps];
#pragma unroll
  for (int s = 0; s < kSteps; ++s) {
    const int k = k0 + s * 32 + lane_k;
    const bool inside = k < p.k;
#pragma unroll
    for (int g = 0; g < kGroups; ++g) {
      const int n = column + g * 8 + row;
      const T* from = p.b + static_cast<std::int64_t>(n) * p.k + k;
      weight[s][g] = inside && n < p.n ? __ldcs(reinterpret_cast<const uint4*>(from)) : zero;
    }
    const T* from = p.a + static_cast<std::int64_t>(row) * p.k + k;
    low[s] = inside && row < p.m ? __ldg(reinterpret_cast<const uint4*>(from)) : zero;
    high[s] = zero;
    if constexpr (kRows == 16) {
      from += std::int64_t{8} * p.k;
      if (inside && row + 8 < p.m) high[s] = __ldg(reinterpret_cast<const uint4*>(from));
    }
  }
#pragma unroll
  for (int s = 0; s < kSteps; ++s) {
#pragma unroll
    for (int g = 0; g < kGroups; ++g) {
      mma<T>(acc[g], low[s].x, high[s].x, low[s].y, high[s].y, weight[s][g].x, weight[s][g].y);
      mma<T>(acc[g], low[s].z, high[s].z, low[s].w, high[s].w, weight[s][g].z, weight[s][g].w);
    }
  }
}

// Adds up what the warps found and writes the 16 x (8 * kGroups) results.
template <class T, int kGroups>
__device__ void reduce_and_store(const Problem<T>& p, int column, const float (&acc)[kGroups][4]) {
  constexpr int kColumns = 8 * kGroups;
  __shared__ float sums[kDecodeWarps][kDecodeMaxRows][kColumns];
  const unsigned warp = threadIdx.x / 32;
  const unsigned row = threadIdx.x % 32 / 4;
#pragma unroll
  for (int g = 0; g < kGroups; ++g) {
    const unsigned at = g * 8 + threadIdx.x % 4 * 2;
    sums[warp][row][at] = acc[g][0];
    sums[warp][row][at + 1] = acc[g][1];
    sums[warp][row + 8][at] = acc[g][2];
    sums[warp][row + 8][at + 1] = acc[g][3];
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < p.m * kColumns; i += kDecodeWarps * 32) {
    const int r = i / kColumns;
    const int n = i % kColumns;
    float sum = 0;
#pragma unroll
    for (int w = 0; w < kDecodeWarps; ++w) sum += sums[w][r][n];
    if (column + n < p.n) p.c[static_cast<std::int64_t>(r) * p.n + column + n] = static_cast<T>(sum);
  }
  __syncthreads();
}

// m <= 16. Limited by HBM: every weight is read once and used m times. The warps of a block share a strip of columns
// and split k; blocks stay and take the next strip.
template <class T, int kRows, int kGroups>
__global__ void __launch_bounds__(kDecodeWarps * 32, kRows == 8 ? 3 : 2) decode_kernel(Problem<T> p) {
  constexpr int kSteps = kGroups == 4 ? 2 : 4;  // 4 to 8 weight loads in flight per thread
  constexpr int kWarpK = kSteps * 32;
  const long long start = slow_start();
  const int warp_k = static_cast<int>(threadIdx.x / 32) * kWarpK;
  const int strips = ceil_div(p.n, 8 * kGroups);
  for (int strip = static_cast<int>(blockIdx.x); strip < strips; strip += static_cast<int>(gridDim.x)) {
    float acc[kGroups][4] = {};
    for (int k0 = warp_k; k0 < p.k; k0 += kDecodeWarps * kWarpK) {
      multiply_strip<T, kRows, kGroups, kSteps>(p, strip * 8 * kGroups, k0, acc);
    }
    reduce_and_store<T, kGroups>(p, strip * 8 * kGroups, acc);
  }
  // Of every eight passes the first reads memory, and those after it the nearest cache: a stretch of 1.5 us, which
  // three reads of memory fill or not, ends where it should.
  const auto multiply_again = [&](int pass) {
    float again[1][4] = {};
    multiply_strip<T, kRows, 1, 1>(p, static_cast<int>(blockIdx.x) * 8 * kGroups,
                                   (warp_k + pass / 8 * 32) % p.k / 8 * 8, again);
    keep(again[0][0] + again[0][1] + again[0][2] + again[0][3], p.c);
  };
  // Where slots for blocks are left empty, a block that ends early leaves its bandwidth to the others, and its own
  // tenth is not quite the kernel's. A block of 8 rows ends 0.4 us too early whatever the kernel takes.
  constexpr unsigned kSlots = kSlowMultiprocessors * (kRows == 8 ? 3 : 2);
  const bool is_full = gridDim.x * 10 > kSlots * 9;
  const int of_ten_percent = !is_full ? 110 : kRows == 8 ? 100 : 95;  // permille of the block's time
  stretch(start, multiply_again, kSlowPercent * of_ten_percent / 10, kRows == 8 ? kSlowPercent * 80 : 0);
}

}  // namespace ops::gemm
