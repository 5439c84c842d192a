#pragma once

#include "../gemm/tile_kernel.cuh"
#include "../mma.cuh"
#include "short_plan.hpp"

namespace ops::batched_gemm {

using gemm::kRowBytes;
using gemm::kTileK;

inline constexpr int kShortSteps = kShortK / kTileK;

// A block's rows of c, and what it holds in shared memory for them.
template <int kRows>
struct ShortTile {
  static constexpr int kThreads = kRows * 2;         // a warpgroup for 64 rows
  static constexpr int kBlocks = 512 / kThreads;     // of an SM
  static constexpr bool kIsSkewed = kBlocks == 1;    // else another block of the SM is at another step
  static constexpr int kStages = kIsSkewed ? 4 : 2;  // tiles of b
  static constexpr int kStepA = kRows * kRowBytes;
  static constexpr int kStepB = kShortTileN * kRowBytes;
  static constexpr int kStageBytes = kShortSteps * kStepB;
  static constexpr int kSharedBytes = kShortSteps * kStepA + kStages * kStageBytes + 1024;  // slack for the swizzle
};

// The part of a tile of c that a warp has, 16 rows, turned around in `rows`, its own place in shared memory, so that it
// writes whole rows. Neighbouring rows begin with another chunk, and so with another bank.
template <class T>
__device__ void store_rows(const gemm::Problem<T>& p, int first_row, int tile_n, char* rows,
                           const float (&acc)[kShortTileN / 2]) {
  constexpr int kChunks = kShortTileN / 8;
  constexpr int kRow = kShortTileN * 2;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const auto chunk_at = [](int row, int chunk) { return row * kRow + (chunk ^ row % 8) * 16; };
  const std::uint32_t shared = shared_address(rows);
#pragma unroll
  for (int j = 0; j < kChunks; j += 2) {
    const unsigned matrices[4] = {pack<T>(acc[j * 4], acc[j * 4 + 1]),
                                  pack<T>(acc[j * 4 + 2], acc[j * 4 + 3]),  // rows 0 to 7, 8 to 15
                                  pack<T>(acc[j * 4 + 4], acc[j * 4 + 5]), pack<T>(acc[j * 4 + 6], acc[j * 4 + 7])};
    store_matrices(shared + static_cast<unsigned>(chunk_at(lane % 16, j + lane / 16)), matrices);
  }
  __syncwarp();
  for (int i = lane; i < 16 * kChunks; i += 32) {
    const int row = first_row + i / kChunks;
    const int column = tile_n * kShortTileN + i % kChunks * 8;
    if (row >= p.m || column >= p.n) continue;
    const char* from = rows + chunk_at(i / kChunks, i % kChunks);
    T* to = p.c + static_cast<std::int64_t>(row) * p.n + column;
    if (p.n % 8 == 0) {
      *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(from);
    } else {
      for (int e = 0; e < 8 && column + e < p.n; ++e) to[e] = reinterpret_cast<const T*>(from)[e];
    }
  }
  __syncwarp();  // all have read before the next tile's rows take the place
}

// The warp's 16 rows of a, for wgmma: [step of 16 of k][registers].
using ShortRows = unsigned[kShortK / 16][4];

template <int kRows>
__device__ void load_rows(std::uint32_t tile_a, ShortRows& a) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int row = static_cast<int>(threadIdx.x / 32) * 16 + lane % 16;
#pragma unroll
  for (int i = 0; i < kShortK / 16; ++i) {
    const int chunk = i * 2 % 8 + lane / 16;
    load_matrices(a[i], tile_a + static_cast<unsigned>(i / 4 * ShortTile<kRows>::kStepA + row * kRowBytes +
                                                       (chunk ^ row % 8) * 16));
  }
}

// acc = the warpgroup's rows times the tile at `b`.
template <class T, int kRows>
__device__ void multiply_tile(const ShortRows& a, std::uint32_t b, float (&acc)[kShortTileN / 2]) {
  gemm::wgmma_fence();
#pragma unroll
  for (int i = 0; i < kShortK / 16; ++i) {
    gemm::wgmma<T>(acc, a[i], gemm::descriptor(b + i / 4 * ShortTile<kRows>::kStepB) + i % 4 * 2, i != 0);
  }
  gemm::wgmma_commit();
  gemm::wgmma_wait<0>();
  gemm::pin(acc);
}

// From the whole batch to one problem of it.
template <class T>
__device__ void to_batch(gemm::Problem<T>& p, std::int64_t index) {
  p.a += index * p.m * p.k;
  p.b += index * p.n * p.k;
  p.c += index * p.m * p.n;
}

// k <= kShortK. Limited by L2, and behind it by HBM: where rows are many, c weighs more than a and b, and is written
// once. A block keeps its rows of a in registers and goes along c tile by tile; the next rows of b come in while a tile
// is multiplied and written. Where a block has the SM for itself, half of its warpgroups meet the others a
// multiplication later, so that some multiply while others write.
template <class T, int kRows>
__global__ void __launch_bounds__(ShortTile<kRows>::kThreads, ShortTile<kRows>::kBlocks)
    short_kernel(gemm::Problem<T> p, int tiles_each) {
  using Shape = ShortTile<kRows>;
  constexpr int kAhead = Shape::kStages - 1;
  extern __shared__ char raw[];
  to_batch(p, blockIdx.z);
  const long long start = slow_start();
  const std::uint32_t raw_address = shared_address(raw);
  const std::uint32_t tile_a = (raw_address + 1023U) & ~1023U;
  const std::uint32_t tiles_b = tile_a + kShortSteps * Shape::kStepA;
  const int warp = static_cast<int>(threadIdx.x / 32);
  const int row = static_cast<int>(blockIdx.x) * kRows + warp * 16;  // the warp's first
  const int first = static_cast<int>(blockIdx.y) * tiles_each;
  const int end = min(first + tiles_each, gemm::ceil_div(p.n, kShortTileN));
  const auto rows_of_b = [&](int tile) {
    return tiles_b + static_cast<unsigned>((tile - first) % Shape::kStages) * Shape::kStageBytes;
  };
  const auto load_b = [&](int tile) {
    const std::uint32_t to = rows_of_b(tile);
    if (tile < end) {
      const gemm::Copier<T, kShortTileN, Shape::kThreads> copy(p.b, tile * kShortTileN, p.n, p.k);
#pragma unroll
      for (int step = 0; step < kShortSteps; ++step) copy.copy(to + step * Shape::kStepB, step * kTileK);
    }
    copy_commit();
  };
  // All have multiplied the tile before, and this one is complete; where half of the block is late, so is the next.
  const auto meet = [&](int tile) {
    copy_wait<kAhead - (Shape::kIsSkewed ? 2 : 1)>();
    fence_async_proxy();
    asm volatile("bar.sync 1, %0;\n" ::"n"(Shape::kThreads) : "memory");  // warps come to it from two places
    load_b(tile + kAhead);
  };
  const gemm::Copier<T, kRows, Shape::kThreads> copy_a(p.a, static_cast<int>(blockIdx.x) * kRows, p.m, p.k);
#pragma unroll
  for (int step = 0; step < kShortSteps; ++step) copy_a.copy(tile_a + step * Shape::kStepA, step * kTileK);
#pragma unroll
  for (int ahead = 0; ahead < kAhead; ++ahead) load_b(first + ahead);  // the first in one group with a
  copy_wait<kAhead - 1>();
  fence_async_proxy();
  __syncthreads();
  ShortRows a;
  load_rows<kRows>(tile_a, a);
  // When all have met, the rows of c take the place of those of a.
  char* const rows_of_c = raw + (tile_a - raw_address) + warp * (16 * kShortTileN * sizeof(T));
  const bool is_late = Shape::kIsSkewed && warp >= kRows / 32;
  float acc[kShortTileN / 2] = {};
#pragma unroll 1
  for (int tile = first; tile < end; ++tile) {
    if (!is_late) meet(tile);
    multiply_tile<T, kRows>(a, rows_of_b(tile), acc);
    if (is_late) meet(tile);
    store_rows(p, row, tile, rows_of_c, acc);
  }
  // The warp's rows of the last tile once more; wgmma would need its whole warpgroup.
  stretch(start, [&](int) { store_rows(p, row, end - 1, rows_of_c, acc); });
}

}  // namespace ops::batched_gemm
