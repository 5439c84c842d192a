#pragma once

#include "../mma.cuh"
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

}  // namespace ops::gemm
