#pragma once

#include "../gemm/narrow_kernel.cuh"
#include "../gemm/stream_kernel.cuh"
#include "../mma.cuh"
#include "problem.cuh"
#include "wgmma_fp8.cuh"

namespace ops::gemm_fp8 {

// Four e4m3 as two pairs of f16, which hold them exactly (PTX ISA: "cvt").
__device__ inline uint2 widen(unsigned four) {
  uint2 pairs;
  asm("{\n.reg .b16 low, high;\n"
      "mov.b32 {low, high}, %2;\n"
      "cvt.rn.f16x2.e4m3x2 %0, low;\n"
      "cvt.rn.f16x2.e4m3x2 %1, high;\n}\n"
      : "=r"(pairs.x), "=r"(pairs.y)
      : "r"(four));
  return pairs;
}

// m <= gemm::kStreamRows. The products are those of f16, whose sums the tensor cores keep in f32: mma.sync on e4m3
// itself takes an H200 10 % longer.
template <int kRows, int kGroups>
__global__ void __launch_bounds__(gemm::kStreamThreads, 1) decode_kernel(Problem p) {
  const gemm::Stream s{reinterpret_cast<const unsigned char*>(p.a), reinterpret_cast<const unsigned char*>(p.b), p.m,
                       p.n, p.k};
  const float scale = *p.scale_a * *p.scale_b;
  const auto multiply_four = [](float(&acc)[4], unsigned low, unsigned high, unsigned weight) {
    const uint2 a_low = widen(low);
    const uint2 a_high = widen(high);
    const uint2 b = widen(weight);
    mma<__half>(acc, a_low.x, a_high.x, a_low.y, a_high.y, b.x, b.y);
  };
  const auto multiply = [&](float(&acc)[4], const uint4& low, const uint4& high, const uint4& weight) {
    multiply_four(acc, low.x, high.x, weight.x);
    multiply_four(acc, low.y, high.y, weight.y);
    multiply_four(acc, low.z, high.z, weight.z);
    multiply_four(acc, low.w, high.w, weight.w);
  };
  gemm::stream<kRows, kGroups>(s, multiply, [&](int row, int column, float sum) {
    p.c[static_cast<std::int64_t>(row) * p.n + column] = static_cast<__nv_bfloat16>(sum * scale);
  });
}

// m <= gemm::kNarrowRows. Sums of 128 products are added up in f32, as in fp8_kernel.
template <int kWidth, int kStrips>
__global__ void __launch_bounds__(gemm::NarrowTile<kWidth, kStrips>::kThreads, 1) narrow_kernel(Problem p) {
  const gemm::Narrow s{reinterpret_cast<const unsigned char*>(p.a), reinterpret_cast<const unsigned char*>(p.b), p.m,
                       p.n, p.k};
  const float scale = *p.scale_a * *p.scale_b;
  const auto multiply = [](float(&sum)[kWidth / 2], std::uint64_t a, std::uint64_t b, bool, const auto& meanwhile) {
    float part[kWidth / 2] = {};
    gemm::wgmma_fence();
#pragma unroll
    for (int kk = 0; kk < gemm::kRowBytes / 32; ++kk) {
      wgmma_e4m3<kWidth>(part, a + kk * 2, b + kk * 2, kk != 0);
    }
    gemm::wgmma_commit();
    meanwhile();
    gemm::wgmma_wait<0>();
    gemm::pin(part);
#pragma unroll
    for (int i = 0; i < kWidth / 2; ++i) sum[i] += part[i];
  };
  gemm::narrow<kWidth, kStrips>(s, multiply, [&](int row, int column, float(&values)[8]) {
#pragma unroll
    for (float& value : values) value *= scale;
    gemm::store_eight(p.c, p.n, row, column, values);
  });
}

}  // namespace ops::gemm_fp8
