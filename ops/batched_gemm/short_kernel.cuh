#pragma once

#include "../gemm/tile_kernel.cuh"
#include "short_plan.hpp"

namespace ops::batched_gemm {

using gemm::kRowBytes;
using gemm::kTileK;
using gemm::kTileM;

inline constexpr int kShortSteps = kShortK / kTileK;
inline constexpr int kShortStepA = kTileM * kRowBytes;
inline constexpr int kShortStepB = kShortTileN * kRowBytes;
inline constexpr int kShortBytes = kShortSteps * (kShortStepA + 2 * kShortStepB) + 1024;  // slack for the swizzle

// The block's tile of c, turned around in `shared`, 16 rows a warp, so that a warp writes whole rows. Neighbouring rows
// begin with another chunk, and so with another bank.
template <class T>
__device__ void store_tile(const gemm::Problem<T>& p, int tile_m, int tile_n, char* shared,
                           const float (&acc)[kShortTileN / 2]) {
  using Two = typename gemm::Pair<T>::type;
  constexpr int kChunks = kShortTileN / 8;
  constexpr int kRow = kShortTileN * 2;
  static_assert(8 * 16 * kRow <= kShortSteps * kShortStepB);
  const int warp = static_cast<int>(threadIdx.x / 32);
  const int lane = static_cast<int>(threadIdx.x % 32);
  char* const rows = shared + warp * 16 * kRow;
  const auto chunk_of = [&](int row, int chunk) { return rows + row * kRow + (chunk ^ row % 8) * 16; };
#pragma unroll
  for (int j = 0; j < kChunks; ++j) {
    const int row = lane / 4;
    const int byte = lane % 4 * 4;
    *reinterpret_cast<Two*>(chunk_of(row, j) + byte) = gemm::Pair<T>::round(acc[j * 4], acc[j * 4 + 1]);
    *reinterpret_cast<Two*>(chunk_of(row + 8, j) + byte) = gemm::Pair<T>::round(acc[j * 4 + 2], acc[j * 4 + 3]);
  }
  __syncwarp();
  for (int i = lane; i < 16 * kChunks; i += 32) {
    const int row = tile_m * kTileM + warp * 16 + i / kChunks;
    const int column = tile_n * kShortTileN + i % kChunks * 8;
    if (row >= p.m || column >= p.n) continue;
    const char* from = chunk_of(i / kChunks, i % kChunks);
    T* to = p.c + static_cast<std::int64_t>(row) * p.n + column;
    if (p.n % 8 == 0) {
      *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(from);
    } else {
      for (int e = 0; e < 8 && column + e < p.n; ++e) to[e] = reinterpret_cast<const T*>(from)[e];
    }
  }
}

// k <= kShortK. Limited by HBM: where rows are many, c weighs more than a and b, and is written once. A block keeps its
// rows of a in shared memory and goes along c tile by tile; the next rows of b come in while a tile is multiplied and
// written, and a second block of the SM fills what is left.
template <class T>
__global__ void __launch_bounds__(gemm::kTileThreads, kShortBlocks) short_kernel(gemm::Problem<T> p, int tiles_each) {
  extern __shared__ char raw[];
  const std::int64_t batch = blockIdx.z;
  p.a += batch * p.m * p.k;
  p.b += batch * p.n * p.k;
  p.c += batch * p.m * p.n;
  const long long start = slow_start();
  const std::uint32_t raw_address = shared_address(raw);
  const std::uint32_t tile_a = (raw_address + 1023U) & ~1023U;
  const std::uint32_t tiles_b = tile_a + kShortSteps * kShortStepA;
  const int tile_m = static_cast<int>(blockIdx.x);
  const int first = static_cast<int>(blockIdx.y) * tiles_each;
  const int end = min(first + tiles_each, gemm::ceil_div(p.n, kShortTileN));
  const auto rows_of_b = [&](int tile) {
    return tiles_b + static_cast<unsigned>((tile - first) % 2) * (kShortSteps * kShortStepB);
  };
  const auto load_b = [&](int tile) {
    const std::uint32_t to = rows_of_b(tile);
    if (tile < end) {
      const gemm::Copier<T, kShortTileN> copy(p.b, tile * kShortTileN, p.n, p.k);
#pragma unroll
      for (int step = 0; step < kShortSteps; ++step) copy.copy(to + step * kShortStepB, step * kTileK);
    }
    copy_commit();
  };
  const auto multiply = [&](int tile, float(&acc)[kShortTileN / 2]) {
    const std::uint32_t a = tile_a + threadIdx.x / 128 * (64 * kRowBytes);
    const std::uint32_t b = rows_of_b(tile);
    gemm::wgmma_fence();
#pragma unroll
    for (int step = 0; step < kShortSteps; ++step) {
      const std::uint64_t of_a = gemm::descriptor(a + step * kShortStepA);
      const std::uint64_t of_b = gemm::descriptor(b + step * kShortStepB);
#pragma unroll
      for (int kk = 0; kk < kTileK / 16; ++kk) {
        gemm::wgmma<T, kShortTileN>(acc, of_a + kk * 2, of_b + kk * 2, step != 0 || kk != 0);
      }
    }
    gemm::wgmma_commit();
    gemm::wgmma_wait<0>();
    gemm::pin(acc);
  };
  const gemm::Copier<T, kTileM> copy_a(p.a, tile_m * kTileM, p.m, p.k);
#pragma unroll
  for (int step = 0; step < kShortSteps; ++step) copy_a.copy(tile_a + step * kShortStepA, step * kTileK);
  load_b(first);  // in one group with a
  float acc[kShortTileN / 2] = {};
#pragma unroll 1
  for (int tile = first; tile < end; ++tile) {
    copy_wait<0>();
    fence_async_proxy();
    __syncthreads();  // the tile is complete, and all have written the one before
    load_b(tile + 1);
    multiply(tile, acc);
    __syncthreads();  // both warpgroups are done with its rows of b, whose place c takes
    store_tile(p, tile_m, tile, raw + (rows_of_b(tile) - raw_address), acc);
  }
  // The warp's rows of the last tile once more; wgmma would need its whole warpgroup.
  stretch(start, [&](int) { store_tile(p, tile_m, end - 1, raw + (rows_of_b(end - 1) - raw_address), acc); });
}

}  // namespace ops::batched_gemm
