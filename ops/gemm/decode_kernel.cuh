#pragma once

#include "../mma.cuh"
#include "narrow_kernel.cuh"
#include "problem.cuh"
#include "stream_kernel.cuh"

namespace ops::gemm {

// m <= kStreamRows.
template <class T, int kRows, int kGroups>
__global__ void __launch_bounds__(kStreamThreads, 1) decode_kernel(Problem<T> p) {
  const Stream s{reinterpret_cast<const unsigned char*>(p.a), reinterpret_cast<const unsigned char*>(p.b), p.m, p.n,
                 p.k * static_cast<int>(sizeof(T))};
  const auto multiply = [](float(&acc)[4], const uint4& low, const uint4& high, const uint4& weight) {
    mma<T>(acc, low.x, high.x, low.y, high.y, weight.x, weight.y);
    mma<T>(acc, low.z, high.z, low.w, high.w, weight.z, weight.w);
  };
  stream<kRows, kGroups>(s, multiply, [&](int row, int column, float sum) {
    p.c[static_cast<std::int64_t>(row) * p.n + column] = static_cast<T>(sum);
  });
}

// m <= kNarrowRows.
template <class T, int kWidth, int kStrips>
__global__ void __launch_bounds__(NarrowTile<kWidth, kStrips>::kThreads, 1) narrow_kernel(Problem<T> p) {
  const Narrow s{reinterpret_cast<const unsigned char*>(p.a), reinterpret_cast<const unsigned char*>(p.b), p.m, p.n,
                 p.k * static_cast<int>(sizeof(T))};
  const auto multiply = [](float(&acc)[kWidth / 2], std::uint64_t a, std::uint64_t b, bool is_first,
                           const auto& meanwhile) {
    wgmma_fence();
#pragma unroll
    for (int kk = 0; kk < kRowBytes / 32; ++kk) {
      wgmma<T, kWidth>(acc, a + kk * 2, b + kk * 2, kk != 0 || !is_first);
    }
    wgmma_commit();
    meanwhile();
    wgmma_wait<0>();
    pin(acc);
  };
  narrow<kWidth, kStrips>(
      s, multiply, [&](int row, int column, const float(&values)[8]) { store_eight(p.c, p.n, row, column, values); });
}

}  // namespace ops::gemm
