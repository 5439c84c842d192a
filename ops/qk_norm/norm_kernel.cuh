#pragma once

#include <cstdint>

#include "../vector.cuh"

namespace ops::qk_norm {

inline constexpr int kThreads = 256;
inline constexpr int kHalfWarp = 16;  // lanes that do a row of up to as many vectors: a head of 128 columns
inline constexpr int kHeld = 8;       // vectors of 16 bytes that a lane keeps: rows of up to 2,048 columns of 16 bits

template <class T>
struct Problem {
  const T* x;
  const T* w;
  T* y;
  std::int64_t rows;
  int columns;  // a multiple of a vector, at most kHeld * kLanes vectors
  float eps;
};

// Limited by HBM, and by the launch for a few rows. kLanes lanes do a row, which they keep in registers between the sum
// and the scaling.
template <class T, int kLanes, int kHeldHere>
__global__ void __launch_bounds__(kThreads) norm_kernel(Problem<T> p) {
  using V = Vector<T, kFullVector<T>>;
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  const int vectors = p.columns / kFullVector<T>;
  const std::int64_t row = std::int64_t{blockIdx.x} * (kThreads / kLanes) + threadIdx.x / kLanes;
  const unsigned together = __ballot_sync(0xFFFFFFFFU, row < p.rows);
  if (row >= p.rows) return;
  const auto* x = reinterpret_cast<const V*>(p.x + row * p.columns);
  const auto* w = reinterpret_cast<const V*>(p.w);
  auto* y = reinterpret_cast<V*>(p.y + row * p.columns);
  V held[kHeldHere];
#pragma unroll
  for (int i = 0; i < kHeldHere; ++i) {
    if (lane + i * kLanes < vectors) held[i] = x[lane + i * kLanes];
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kHeldHere; ++i) {
    if (lane + i * kLanes < vectors) {
#pragma unroll
      for (int e = 0; e < kFullVector<T>; ++e) {
        const auto value = static_cast<float>(held[i].get(e));
        sum += value * value;
      }
    }
  }
#pragma unroll
  for (int offset = kLanes / 2; offset > 0; offset /= 2) sum += __shfl_xor_sync(together, sum, offset);
  const float scale = 1.0F / sqrtf(sum / static_cast<float>(p.columns) + p.eps);
#pragma unroll
  for (int i = 0; i < kHeldHere; ++i) {
    if (lane + i * kLanes < vectors) {
      const V weight = w[lane + i * kLanes];
      V result;
#pragma unroll
      for (int e = 0; e < kFullVector<T>; ++e) {
        result.set(e, static_cast<T>(static_cast<float>(held[i].get(e)) * scale * static_cast<float>(weight.get(e))));
      }
      y[lane + i * kLanes] = result;
    }
  }
}

}  // namespace ops::qk_norm
