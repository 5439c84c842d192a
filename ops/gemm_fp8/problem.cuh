#pragma once

#include <cuda_bf16.h>

#include <cstdint>

namespace ops::gemm_fp8 {

struct Problem {
  const std::uint16_t* a;  // pairs of e4m3: [m, k / 2]
  const std::uint16_t* b;  // [n, k / 2]
  const float* scale_a;    // [1]
  const float* scale_b;
  __nv_bfloat16* c;
  int m, n, k;  // k is a multiple of 16
};

}  // namespace ops::gemm_fp8
