#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace ops::gemm {

// c[m, n] = a[m, k] * b[n, k]^T, all row-major; k is a multiple of 8, so every row starts on 16 bytes.
template <class T>
struct Problem {
  const T* a;
  const T* b;
  T* c;
  int m, n, k;
};

__host__ __device__ constexpr int ceil_div(int value, int by) {
  return (value + by - 1) / by;
}

template <class T>
struct Pair;
template <>
struct Pair<__half> {
  using type = __half2;
  static __device__ type round(float x, float y) { return __floats2half2_rn(x, y); }
};
template <>
struct Pair<__nv_bfloat16> {
  using type = __nv_bfloat162;
  static __device__ type round(float x, float y) { return __floats2bfloat162_rn(x, y); }
};

}  // namespace ops::gemm
