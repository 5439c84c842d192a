#pragma once

#include <cstdint>

// Where the rows of a mixture of experts go: sorted by expert, in the order of their slots (token * topk + choice)
// within one. Counted and placed in chunks of slots, so that the result does not depend on the order of blocks.
namespace ops::moe {

inline constexpr int kChunk = 1024;  // slots of a block, one per thread
inline constexpr int kChunkWarps = kChunk / 32;
inline constexpr int kMostExperts = 256;

struct Routing {
  const int* experts_of;  // [slots], each in [0, experts)
  int* counts;            // [chunks, experts]
  int* positions;         // [slots]: the row of a slot
  int* ends;              // [experts]: one past the last row; may be null
  int slots, experts, chunks;
};

// Limited by latency. The slots of each chunk per expert.
__global__ void __launch_bounds__(kChunk) count_kernel(Routing r) {
  __shared__ int counts[kMostExperts];
  const int thread = static_cast<int>(threadIdx.x);
  const int slot = static_cast<int>(blockIdx.x) * kChunk + thread;
  if (thread < kMostExperts) counts[thread] = 0;
  __syncthreads();
  if (slot < r.slots) atomicAdd(&counts[r.experts_of[slot]], 1);
  __syncthreads();
  if (thread < r.experts) r.counts[static_cast<int>(blockIdx.x) * r.experts + thread] = counts[thread];
}

// first[e] = the row of the first slot of this chunk that goes to expert e.
__device__ inline void first_rows(const Routing& r, int (&first)[kMostExperts]) {
  __shared__ int sums[kMostExperts];
  const int expert = static_cast<int>(threadIdx.x);
  int before = 0;  // in earlier chunks
  int total = 0;
  if (expert < r.experts) {
#pragma unroll 8
    for (int chunk = 0; chunk < r.chunks; ++chunk) {
      const int count = r.counts[chunk * r.experts + expert];
      before += chunk < static_cast<int>(blockIdx.x) ? count : 0;
      total += count;
    }
  }
  if (expert < kMostExperts) sums[expert] = total;
  __syncthreads();
  for (int step = 1; step < kMostExperts; step *= 2) {
    const int left = expert >= step && expert < kMostExperts ? sums[expert - step] : 0;
    __syncthreads();
    if (expert < kMostExperts) sums[expert] += left;
    __syncthreads();
  }
  if (expert < r.experts) {
    first[expert] = sums[expert] - total + before;
    if (blockIdx.x == 0 && r.ends != nullptr) r.ends[expert] = sums[expert];
  }
}

// Limited by latency. A slot's row: the first of its expert in this chunk, and those before it in its own and in
// earlier warps.
__global__ void __launch_bounds__(kChunk) place_kernel(Routing r) {
  __shared__ int first[kMostExperts];
  __shared__ int per_warp[kChunkWarps][kMostExperts];
  const int thread = static_cast<int>(threadIdx.x);
  const int warp = thread / 32;
  const int slot = static_cast<int>(blockIdx.x) * kChunk + thread;
  for (int i = thread; i < kChunkWarps * kMostExperts; i += kChunk) per_warp[i / kMostExperts][i % kMostExperts] = 0;
  first_rows(r, first);
  __syncthreads();
  const int expert = slot < r.slots ? r.experts_of[slot] : -1;
  const unsigned same = __match_any_sync(0xFFFFFFFFU, expert);
  const int rank = __popc(same & ((1U << (thread % 32)) - 1U));
  if (expert >= 0 && rank == 0) per_warp[warp][expert] = __popc(same);
  __syncthreads();
  if (expert < 0) return;
  int row = first[expert] + rank;
  for (int w = 0; w < warp; ++w) row += per_warp[w][expert];
  r.positions[slot] = row;
}

}  // namespace ops::moe
