#pragma once

#include "../copy_async.cuh"
#include "../slowdown.cuh"
#include "problem.cuh"
#include "wgmma.cuh"

#if defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FEAT_SM90_ALL)
#error "opgate gemm uses wgmma: compile it for sm_90a (CMAKE_CUDA_ARCHITECTURES=90a)"
#endif

namespace ops::gemm {

inline constexpr int kTileM = 128;
inline constexpr int kTileK = 64;         // 128 bytes: one row of the 128-byte swizzle
inline constexpr int kTileThreads = 256;  // two warpgroups, 64 rows of the tile each

template <int kTileN>
struct Tile {
  static constexpr int kStageBytes = (kTileM + kTileN) * kRowBytes;
  static constexpr int kStages = 196608 / kStageBytes < 8 ? 196608 / kStageBytes : 8;
  static constexpr int kSharedBytes = kStages * kStageBytes + 1024;  // slack to align the stages to the swizzle
};

// What one thread copies into a stage: one 16-byte chunk of every kThreads / 8th row.
template <class T, int kRows, int kThreads = kTileThreads>
class Copier {
 public:
  __device__ Copier(const T* matrix, int first_row, int rows, int k)
      : matrix_(matrix), k_(k), row_(first_row + threadIdx.x / 8), rows_(rows), column_(threadIdx.x % 8 * 8) {
    const unsigned row = threadIdx.x / 8;
    const unsigned chunk = threadIdx.x % 8;
    offset_ = row * kRowBytes + ((chunk ^ (row % 8)) * 16);
  }

  __device__ void copy(std::uint32_t stage, int k0) const {
    const int column = k0 + column_;
    const T* source = matrix_ + static_cast<std::int64_t>(row_) * k_ + column;
#pragma unroll
    for (int i = 0; i < kRows / kAtOnce; ++i) {
      const bool inside = row_ + i * kAtOnce < rows_ && column < k_;
      copy_async(stage + offset_ + i * kAtOnce * kRowBytes, inside ? source : matrix_, inside);
      source += std::int64_t{kAtOnce} * k_;
    }
  }

 private:
  static constexpr int kAtOnce = kThreads / 8;  // rows
  static_assert(kRows % kAtOnce == 0 && kAtOnce % 8 == 0);

  const T* matrix_;
  int k_, row_, rows_, column_;
  std::uint32_t offset_;
};

// Rows of tiles in groups of 8, so that the tiles running at one time share their operands in L2.
struct TileIndex {
  int m, n;
  __device__ TileIndex(int index, int tiles_m, int tiles_n) {
    constexpr int kGroup = 8;
    const int first = index / (kGroup * tiles_n) * kGroup;
    const int height = min(kGroup, tiles_m - first);
    const int within = index % (kGroup * tiles_n);
    m = first + within % height;
    n = within / height;
  }
};

// acc += the 64 rows of this warpgroup times the whole tile, over all of k.
template <class T, int kTileN>
__device__ void multiply(const Problem<T>& p, TileIndex tile, std::uint32_t shared, float (&acc)[kTileN / 2]) {
  using Shape = Tile<kTileN>;
  constexpr int kAhead = Shape::kStages - 2;
  const Copier<T, kTileM> copy_a(p.a, tile.m * kTileM, p.m, p.k);
  const Copier<T, kTileN> copy_b(p.b, tile.n * kTileN, p.n, p.k);
  const int steps = ceil_div(p.k, kTileK);
  // Slow build: the last steps run first as well, and accumulate = 0 then discards their sum.
  const int extra = extra_steps(steps);
  int load_stage = 0;
  const auto load = [&](int step) {
    if (step < steps + extra) {
      const int k0 = (step < extra ? steps - extra + step : step - extra) * kTileK;
      const std::uint32_t stage = shared + load_stage * Shape::kStageBytes;
      copy_a.copy(stage, k0);
      copy_b.copy(stage + kTileM * kRowBytes, k0);
      load_stage = load_stage + 1 == Shape::kStages ? 0 : load_stage + 1;
    }
    copy_commit();
  };
#pragma unroll 1
  for (int step = 0; step < kAhead; ++step) load(step);
  int stage_index = 0;
#pragma unroll 1
  for (int step = 0; step < steps + extra; ++step) {
    copy_wait<kAhead - 1>();
    fence_async_proxy();
    __syncthreads();  // the stage is complete, and both warpgroups are done with step - 2
    const std::uint32_t stage = shared + stage_index * Shape::kStageBytes;
    const std::uint64_t a = descriptor(stage + threadIdx.x / 128 * (64 * kRowBytes));
    const std::uint64_t b = descriptor(stage + kTileM * kRowBytes);
    wgmma_fence();
#pragma unroll
    for (int kk = 0; kk < kTileK / 16; ++kk) {
      wgmma<T, kTileN>(acc, a + kk * 2, b + kk * 2, kk != 0 || (step != 0 && step != extra));
    }
    wgmma_commit();
    load(step + kAhead);  // overwrites the stage of step - 2
    wgmma_wait<1>();
    stage_index = stage_index + 1 == Shape::kStages ? 0 : stage_index + 1;
  }
  wgmma_wait<0>();
  pin(acc);
}

// A warp turns its 16 rows around in shared memory, so that it writes whole rows of c.
template <class T, int kTileN>
__device__ void store(const Problem<T>& p, TileIndex tile, char* shared, const float (&acc)[kTileN / 2]) {
  constexpr int kPitch = kTileN + 8;  // rows 4 banks apart: no conflicts
  using Two = typename Pair<T>::type;
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  T* rows = reinterpret_cast<T*>(shared) + warp * 16 * kPitch;
#pragma unroll
  for (int j = 0; j < kTileN / 8; ++j) {
    T* pair = rows + lane / 4 * kPitch + j * 8 + lane % 4 * 2;
    *reinterpret_cast<Two*>(pair) = Pair<T>::round(acc[j * 4], acc[j * 4 + 1]);
    *reinterpret_cast<Two*>(pair + 8 * kPitch) = Pair<T>::round(acc[j * 4 + 2], acc[j * 4 + 3]);
  }
  __syncwarp();
  constexpr int kChunks = kTileN / 8;
  for (int i = lane; i < 16 * kChunks; i += 32) {
    const int row = tile.m * kTileM + warp * 16 + i / kChunks;
    const int column = tile.n * kTileN + i % kChunks * 8;
    if (row >= p.m || column >= p.n) continue;
    const T* from = rows + i / kChunks * kPitch + i % kChunks * 8;
    T* to = p.c + static_cast<std::int64_t>(row) * p.n + column;
    if (p.n % 8 == 0) {
      *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(from);
    } else {
      for (int e = 0; e < 8 && column + e < p.n; ++e) to[e] = from[e];
    }
  }
}

// One tile of c, by one block; `index` counts the tiles of p.
template <class T, int kTileN>
__device__ void compute_tile(const Problem<T>& p, int index) {
  extern __shared__ char raw[];
  const auto raw_address = static_cast<std::uint32_t>(__cvta_generic_to_shared(raw));
  const std::uint32_t shared = (raw_address + 1023U) & ~1023U;
  const TileIndex tile(index, ceil_div(p.m, kTileM), ceil_div(p.n, kTileN));
  float acc[kTileN / 2] = {};
  multiply<T, kTileN>(p, tile, shared, acc);
  __syncthreads();  // the other warpgroup may still be reading the last stages
  store<T, kTileN>(p, tile, raw + (shared - raw_address), acc);
}

// Limited by the tensor cores while L2 can deliver (128 + kTileN) rows of 128 bytes per k step; without sharing
// operands between SMs that caps it near 650 of the H200's 990 TFLOP/s.
template <class T, int kTileN>
__global__ void __launch_bounds__(kTileThreads, 1) tile_kernel(Problem<T> p) {
  compute_tile<T, kTileN>(p, static_cast<int>(blockIdx.x));
}

}  // namespace ops::gemm
