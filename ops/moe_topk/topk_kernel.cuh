#pragma once

#include <climits>
#include <cstdint>

namespace ops::moe_topk {

inline constexpr int kWarps = 8;
inline constexpr int kMostExperts = 256;

template <class T>
struct Problem {
  const T* logits;
  float* weights;
  int* indices;
  int tokens, experts, chosen;
  bool renormalise;  // over the chosen experts, else over all
};

struct Best {
  float value;
  int index;  // INT_MAX: none
};

// The larger value, the lower index among equal ones.
__device__ inline Best better(Best a, Best b) {
  if (b.index == INT_MAX) return a;
  if (a.index == INT_MAX || b.value > a.value) return b;
  return b.value == a.value && b.index < a.index ? b : a;
}

__device__ inline Best warp_best(Best mine) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) {
    Best other;
    other.value = __shfl_xor_sync(0xFFFFFFFFU, mine.value, offset);
    other.index = __shfl_xor_sync(0xFFFFFFFFU, mine.index, offset);
    mine = better(mine, other);
  }
  return mine;
}

__device__ inline float warp_sum(float mine) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_xor_sync(0xFFFFFFFFU, mine, offset);
  return mine;
}

// Limited by latency: a warp keeps a token's logits in registers, and each of the `chosen` rounds waits for a
// reduction of ten shuffles; the bytes are few. Lane l holds experts l, l + 32, ...
template <class T, int kHeld>
__global__ void __launch_bounds__(kWarps * 32) topk_kernel(Problem<T> p) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t token = std::int64_t{blockIdx.x} * kWarps + threadIdx.x / 32;
  if (token >= p.tokens) return;  // whole warps
  const T* logits = p.logits + token * p.experts;
  float held[kHeld];
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    held[i] = lane + i * 32 < p.experts ? static_cast<float>(logits[lane + i * 32]) : -INFINITY;
  }
  unsigned taken = 0;
  float largest = 0;
  float sum_of_chosen = 0;
  float my_weight = 0;  // of round `lane`
  int my_index = 0;
  for (int round = 0; round < p.chosen; ++round) {
    Best best{-INFINITY, INT_MAX};
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
      const int expert = lane + i * 32;
      if (expert < p.experts && (taken >> i & 1U) == 0) best = better(best, {held[i], expert});
    }
    best = warp_best(best);
    if (best.index % 32 == lane) taken |= 1U << (best.index / 32);
    if (round == 0) largest = best.value;
    const float weight = expf(best.value - largest);
    sum_of_chosen += weight;
    if (round == lane) {
      my_weight = weight;
      my_index = best.index;
    }
  }
  float sum = sum_of_chosen;
  if (!p.renormalise) {
    float mine = 0;
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
      if (lane + i * 32 < p.experts) mine += expf(held[i] - largest);
    }
    sum = warp_sum(mine);
  }
  if (lane < p.chosen) {
    p.weights[token * p.chosen + lane] = my_weight / sum;
    p.indices[token * p.chosen + lane] = my_index;
  }
}

}  // namespace ops::moe_topk
