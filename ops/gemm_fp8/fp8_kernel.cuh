#pragma once

#include <cstdint>

#include "../gemm/tile_kernel.cuh"
#include "problem.cuh"
#include "wgmma_fp8.cuh"

namespace ops::gemm_fp8 {

using gemm::ceil_div;
using gemm::kRowBytes;
using gemm::kTileM;
using gemm::Tile;

inline constexpr int kTileK = kRowBytes;  // elements of one byte

// sum = the 64 rows of this warpgroup times the whole tile, over all of k. The tensor cores keep about 14 bits of a sum
// of 8-bit products, so each step's sum is added to one in f32 registers (DeepSeek-V3 Technical Report, 3.3.2). The
// bytes are those of a 16-bit gemm with half the k, and are staged in the same way.
template <int kTileN>
__device__ void multiply(const Problem& p, gemm::TileIndex tile, std::uint32_t shared, float (&sum)[kTileN / 2]) {
  using Shape = Tile<kTileN>;
  constexpr int kAhead = Shape::kStages - 1;
  const gemm::Copier<std::uint16_t, kTileM> copy_a(p.a, tile.m * kTileM, p.m, p.k / 2);
  const gemm::Copier<std::uint16_t, kTileN> copy_b(p.b, tile.n * kTileN, p.n, p.k / 2);
  const int steps = ceil_div(p.k, kTileK);
  const auto load = [&](int step) {
    if (step < steps) {
      const std::uint32_t stage = shared + step % Shape::kStages * Shape::kStageBytes;
      copy_a.copy(stage, step * kTileK / 2);
      copy_b.copy(stage + kTileM * kRowBytes, step * kTileK / 2);
    }
    copy_commit();
  };
#pragma unroll 1
  for (int step = 0; step < kAhead; ++step) load(step);
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    copy_wait<kAhead - 1>();
    fence_async_proxy();
    __syncthreads();  // the stage is complete, and both warpgroups are done with step - 1
    const std::uint32_t stage = shared + step % Shape::kStages * Shape::kStageBytes;
    const std::uint64_t a = gemm::descriptor(stage + threadIdx.x / 128 * (64 * kRowBytes));
    const std::uint64_t b = gemm::descriptor(stage + kTileM * kRowBytes);
    float part[kTileN / 2] = {};
    gemm::wgmma_fence();
#pragma unroll
    for (int kk = 0; kk < kTileK / 32; ++kk) wgmma_e4m3<kTileN>(part, a + kk * 2, b + kk * 2, kk != 0);
    gemm::wgmma_commit();
    load(step + kAhead);  // overwrites the stage of step - 1
    gemm::wgmma_wait<0>();
    gemm::pin(part);
#pragma unroll
    for (int i = 0; i < kTileN / 2; ++i) sum[i] += part[i];
  }
}

// Limited by the tensor cores while L2 delivers (128 + kTileN) rows of 128 bytes per k step, which at 8 bits is half
// the time it is at 16, and by the additions to f32 that only the other warpgroup's products hide: well below the
// H200's 1979 TFLOP/s. For a few rows, by HBM, with only n / kTileN blocks to read it.
template <int kTileN>
__global__ void __launch_bounds__(gemm::kTileThreads, 1) fp8_kernel(Problem p) {
  extern __shared__ char raw[];
  const std::uint32_t raw_address = shared_address(raw);
  const std::uint32_t shared = (raw_address + 1023U) & ~1023U;
  const gemm::TileIndex tile(static_cast<int>(blockIdx.x), ceil_div(p.m, kTileM), ceil_div(p.n, kTileN));
  float sum[kTileN / 2] = {};
  multiply<kTileN>(p, tile, shared, sum);
  const float scale = *p.scale_a * *p.scale_b;
#pragma unroll
  for (int i = 0; i < kTileN / 2; ++i) sum[i] *= scale;
  __syncthreads();  // the other warpgroup may still be reading the last stages
  const gemm::Problem<__nv_bfloat16> out{nullptr, nullptr, p.c, p.m, p.n, p.k};
  gemm::store<__nv_bfloat16, kTileN>(out, tile, raw + (shared - raw_address), sum);
}

}  // namespace ops::gemm_fp8
