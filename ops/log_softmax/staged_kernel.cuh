#pragma once

#include "../cluster.cuh"
#include "../copy_bulk.cuh"
#include "../row.cuh"
#include "normaliser.cuh"
#include "packed.cuh"
#include "staged_plan.hpp"

namespace ops::log_softmax {

// Called by all threads of the cluster with the same `mine` in those of a block. The caller comes with another `slot`
// next time, and waits for the cluster before it ends.
__device__ inline Normaliser merge_in_cluster(Normaliser mine, Normaliser* slot) {
  const auto cluster = cooperative_groups::this_cluster();
  if (threadIdx.x == 0) *slot = mine;
  cluster.sync();
  Normaliser whole = *cluster.map_shared_rank(slot, 0);
#pragma unroll
  for (unsigned rank = 1; rank < kStagedCluster; ++rank) whole = Merge{}(whole, *cluster.map_shared_rank(slot, rank));
  return whole;
}

// Limited by HBM. Clusters stay and take further rows; a block's share of the next row is on its way into shared memory
// while that of this one, which is in registers, is summed and written. Rows are counted in an int: 64 bits cost more
// registers than a thread has.
template <class T, int kHeld>
__global__ void __launch_bounds__(kStagedThreads, kHeld <= kStagedFewHeld ? 2 : 1)
    log_softmax_staged_kernel(const T* x, T* y, int rows, int columns) {
  constexpr int kCount = kFullVector<T>;
  using V = Vector<T, kCount>;
  extern __shared__ __align__(128) unsigned char raw[];
  __shared__ BulkBarrier full;
  // Two of each in turn: who is a row ahead must not overwrite what others still read.
  __shared__ float partials[2][2][kStagedThreads / kWarpThreads];
  __shared__ Normaliser slots[2];
  const RowSlice slice = row_slice(columns / kCount);
  const auto step = static_cast<int>(gridDim.x / kStagedCluster);
  const auto first = static_cast<int>(slice.row);
  const auto at = [&](int row) { return std::int64_t{row} * columns + slice.first * kCount; };
  const auto fetch = [&](int row) {
    if (threadIdx.x != 0 || row >= rows) return;
    fence_async_proxy();
    full.expect(slice.vectors * kBulkBytes);
    full.copy(raw, x + at(row), slice.vectors * kBulkBytes);
  };
  if (threadIdx.x == 0) full.init();
  __syncthreads();
  fetch(first);
  unsigned parity = 0;
  for (int row = first; row < rows; row += step, parity ^= 1U) {
    V held[kHeld];
    const auto each = [&](auto&& body) {
#pragma unroll
      for (int i = 0; i < kHeld; ++i) {
        if (const int v = static_cast<int>(threadIdx.x) + i * kStagedThreads; v < slice.vectors) body(v, held[i]);
      }
    };
    const auto each_element = [&](auto&& body) {
      each([&](int, const V& v) {
#pragma unroll
        for (int e = 0; e < kCount; ++e) body(static_cast<float>(v.get(e)));
      });
    };
    full.wait(parity);
    each([&](int v, V& to) { to = reinterpret_cast<const V*>(raw)[v]; });
    float largest = kLeastLargest;
    if constexpr (kPacked<T>) {
      each([&](int, const V& v) { largest = fmaxf(largest, largest_of(v)); });
    } else {
      each_element([&](float value) { largest = fmaxf(largest, value); });
    }
    // In here all wait for each other, and so hold their share: the next may take its place.
    largest = block_reduce(largest, partials[parity][0], Largest{});
    fetch(row + step);
    float sum = 0;
    if constexpr (kPacked<T>) {
      const float scaled = scaled_by_log2e(largest);
      each_element([&](float value) { sum += exp_from(value, scaled); });
    } else {
      each_element([&](float value) { sum += __expf(value - largest); });
    }
    sum = block_reduce(sum, partials[parity][1], Sum{});
    const Normaliser whole = merge_in_cluster({largest, sum}, &slots[parity]);
    const float shift = logf(whole.sum);
    auto* out = reinterpret_cast<uint4*>(y + at(row));
    each([&](int v, const V& from) {
      V result;
#pragma unroll
      for (int e = 0; e < kCount; ++e) {
        result.set(e, static_cast<T>(static_cast<float>(from.get(e)) - whole.largest - shift));
      }
      __stcs(out + v, result.word);  // nobody reads it again soon
    });
  }
  cooperative_groups::this_cluster().sync();  // others may still read the slot
}

}  // namespace ops::log_softmax
