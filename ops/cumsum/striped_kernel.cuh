#pragma once

#include <type_traits>

#include "../block_reduce.cuh"
#include "chunk_plan.hpp"
#include "look_back.cuh"

namespace ops::cumsum {

// What a thread holds of a chunk: of each 32 vectors of its warp's share, one.
template <class T>
struct Held {
  static constexpr int kVectors = kLargeChunk / 4;
  using Vector = std::conditional_t<std::is_same_v<T, float>, float4, int4>;
  Vector at[kVectors];

  static __device__ int offset(int i) {
    const int warp = static_cast<int>(threadIdx.x) / kWarpThreads;
    const int lane = static_cast<int>(threadIdx.x) % kWarpThreads;
    return warp * kWarpThreads * kLargeChunk + (i * kWarpThreads + lane) * 4;
  }

  __device__ void load(const T* chunk, int inside) {
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
      at[i] = offset(i) < inside ? __ldcs(reinterpret_cast<const Vector*>(chunk + offset(i))) : Vector{};
    }
  }

  // Within the warp's share; returns its sum.
  __device__ T scan() {
    const int lane = static_cast<int>(threadIdx.x) % kWarpThreads;
    T running = 0;
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
      Vector& v = at[i];
      v.y = plus(v.y, v.x);
      v.z = plus(v.z, v.y);
      v.w = plus(v.w, v.z);
      T through = v.w;  // the sum of the lanes up to this one
#pragma unroll
      for (int distance = 1; distance < kWarpThreads; distance *= 2) {
        const T before = __shfl_up_sync(0xFFFFFFFFU, through, static_cast<unsigned>(distance));
        if (lane >= distance) through = plus(through, before);
      }
      T before = __shfl_up_sync(0xFFFFFFFFU, through, 1);
      add(v, plus(running, lane > 0 ? before : T{0}));
      running += __shfl_sync(0xFFFFFFFFU, through, kWarpThreads - 1);
    }
    return running;
  }

  // ptxas joins sums of three integers, which takes registers that so many blocks do not leave; it does not know that
  // the grid has one layer.
  static __device__ T plus(T a, T b) {
    if constexpr (std::is_integral_v<T>) return a * static_cast<T>(gridDim.z) + b;
    return a + b;
  }
  static __device__ void add(Vector& v, T value) {
    v.x = plus(v.x, value);
    v.y = plus(v.y, value);
    v.z = plus(v.z, value);
    v.w = plus(v.w, value);
  }

  __device__ void store(T* chunk, int inside, T carry) {
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
      add(at[i], carry);
      if (offset(i) < inside) __stcs(reinterpret_cast<Vector*>(chunk + offset(i)), at[i]);
    }
  }
};

// Limited by HBM: every element is read and written once, in one pass, 16 bytes at a time, and stays in registers.
// Rows of 16-byte vectors.
template <class T>
__global__ void __launch_bounds__(kThreads, kLargeBlocks)
    cumsum_striped_kernel(const T* x, T* y, State* states, int columns, int chunks, unsigned call) {
  constexpr int kWarps = kThreads / kWarpThreads;
  constexpr int kChunk = kThreads * kLargeChunk;
  __shared__ T warp_sums[kWarps];
  __shared__ T shared_carry;
  const int warp = static_cast<int>(threadIdx.x) / kWarpThreads;
  const std::int64_t row = blockIdx.x / static_cast<unsigned>(chunks);
  const int chunk = static_cast<int>(blockIdx.x % static_cast<unsigned>(chunks));
  const std::int64_t base = row * columns + std::int64_t{chunk} * kChunk;
  const int inside = min(kChunk, columns - chunk * kChunk);
  Held<T> held;
  held.load(x + base, inside);
  const T warp_sum = held.scan();
  if (threadIdx.x % kWarpThreads == 0) warp_sums[warp] = warp_sum;
  __syncthreads();
  State* own_state = states + blockIdx.x;
  if (warp == 0) {
    T own_sum = 0;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) own_sum += warp_sums[w];
    if (threadIdx.x == 0) write_state(own_state, state_of(call + (chunk == 0 ? kPrefix : kOwnSum), own_sum));
    const T carry = chunk == 0 ? T{0} : look_back<Window::nearest, kLargePauseNs, T>(own_state, chunk, call);
    if (threadIdx.x == 0) {
      if (chunk > 0) write_state(own_state, state_of(call + kPrefix, static_cast<T>(carry + own_sum)));
      shared_carry = carry;
    }
  }
  __syncthreads();
  T carry = shared_carry;
  for (int w = 0; w < warp; ++w) carry += warp_sums[w];
  held.store(y + base, inside, carry);
}

}  // namespace ops::cumsum
