#pragma once

#include <cstdint>

#include "../vector.cuh"

namespace ops::qk_norm {

inline constexpr int kWarps = 8;
inline constexpr int kHeld = 8;  // vectors of 16 bytes that a lane keeps: rows of up to 2,048 columns of 16 bits

template <class T>
struct Problem {
  const T* x;
  const T* w;
  T* y;
  std::int64_t rows;
  int columns;  // a multiple of a vector, at most kHeld * 32 vectors
  float eps;
};

// Limited by HBM, and by the launch for a few rows. A warp does a row, which it keeps in registers between the sum and
// the scaling.
template <class T>
__global__ void __launch_bounds__(kWarps * 32) norm_kernel(Problem<T> p) {
  using V = Vector<T, kFullVector<T>>;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int vectors = p.columns / kFullVector<T>;
  const std::int64_t row = std::int64_t{blockIdx.x} * kWarps + threadIdx.x / 32;
  if (row >= p.rows) return;  // whole warps
  const auto* x = reinterpret_cast<const V*>(p.x + row * p.columns);
  const auto* w = reinterpret_cast<const V*>(p.w);
  auto* y = reinterpret_cast<V*>(p.y + row * p.columns);
  V held[kHeld];
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    if (lane + i * 32 < vectors) held[i] = x[lane + i * 32];
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    if (lane + i * 32 < vectors) {
#pragma unroll
      for (int e = 0; e < kFullVector<T>; ++e) {
        const auto value = static_cast<float>(held[i].get(e));
        sum += value * value;
      }
    }
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xFFFFFFFFU, sum, offset);
  const float scale = 1.0F / sqrtf(sum / static_cast<float>(p.columns) + p.eps);
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    if (lane + i * 32 < vectors) {
      const V weight = w[lane + i * 32];
      V result;
#pragma unroll
      for (int e = 0; e < kFullVector<T>; ++e) {
        result.set(e, static_cast<T>(static_cast<float>(held[i].get(e)) * scale * static_cast<float>(weight.get(e))));
      }
      y[lane + i * 32] = result;
    }
  }
}

}  // namespace ops::qk_norm
