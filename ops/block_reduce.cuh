#pragma once

#include <cuda_runtime.h>

namespace ops {

inline constexpr int kWarpThreads = 32;

struct Sum {
  static constexpr float kNeutral = 0;
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct Largest {
  static constexpr float kNeutral = -INFINITY;
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

template <class Combine>
__device__ float warp_reduce(float mine, Combine combine) {
#pragma unroll
  for (int offset = kWarpThreads / 2; offset > 0; offset /= 2) {
    mine = combine(mine, __shfl_xor_sync(0xFFFFFFFFU, mine, offset));
  }
  return mine;
}

// Over all threads of the block, whole warps, in all of them. One barrier, so each call needs `partials` of its own: a
// float per warp in shared memory.
template <class Combine>
__device__ float block_reduce(float mine, float* partials, Combine combine) {
  mine = warp_reduce(mine, combine);
  if (blockDim.x == kWarpThreads) return mine;
  if (threadIdx.x % kWarpThreads == 0) partials[threadIdx.x / kWarpThreads] = mine;
  __syncthreads();
  float result = partials[0];
  for (unsigned warp = 1; warp < blockDim.x / kWarpThreads; ++warp) result = combine(result, partials[warp]);
  return result;
}

// Several figures for the price of one barrier, which there always is.
template <class Combine, int kFigures, int kWarps>
__device__ void block_reduce_all(float (&mine)[kFigures], float (&partials)[kFigures][kWarps], Combine combine) {
#pragma unroll
  for (int f = 0; f < kFigures; ++f) {
    mine[f] = warp_reduce(mine[f], combine);
    if (threadIdx.x % kWarpThreads == 0) partials[f][threadIdx.x / kWarpThreads] = mine[f];
  }
  __syncthreads();
#pragma unroll
  for (int f = 0; f < kFigures; ++f) {
    mine[f] = partials[f][0];
    for (unsigned warp = 1; warp < blockDim.x / kWarpThreads; ++warp) mine[f] = combine(mine[f], partials[f][warp]);
  }
}

}  // namespace ops
