#pragma once

#include "../block_reduce.cuh"
#include "../copy_bulk.cuh"
#include "../slowdown.cuh"
#include "own_columns.cuh"
#include "ring_plan.hpp"

namespace ops::rmsnorm_backward {

// Limited by HBM: dy and x are read once, dx is written once, and a row of partial dw per block. Blocks stay and take
// further rows, the next `stages` of which are on their way into shared memory, where they cost no registers. A row's
// stage is free again as soon as all threads have it in theirs. Rows of 16-byte vectors, several warps.
// nvcc 13.0 takes no RingShape for an argument of a kernel's template.
template <class T, int kThreads, int kHeld, int kSmThreads>
__global__ void __launch_bounds__(kThreads, kSmThreads / kThreads) backward_ring_kernel(Problem<T> p, int stages) {
  constexpr int kCount = kFullVector<T>;
  extern __shared__ __align__(128) unsigned char ring[];
  __shared__ BulkBarrier full[kMostStages];
  __shared__ float partials[2][2][kThreads / kWarpThreads];
  const long long start = slow_start();
  const int row_bytes = p.columns * static_cast<int>(sizeof(T));
  const auto fetch = [&](int stage, std::int64_t row) {
    if (threadIdx.x != 0 || row >= p.rows) return;
    unsigned char* to = ring + stage * 2 * row_bytes;
    fence_async_proxy();
    full[stage].expect(2 * row_bytes);
    full[stage].copy(to, p.x + row * p.columns, row_bytes);
    full[stage].copy(to + row_bytes, p.dy + row * p.columns, row_bytes);
  };
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < stages; ++stage) full[stage].init();
  }
  for (int stage = 0; stage < stages; ++stage) fetch(stage, blockIdx.x + std::int64_t{stage} * gridDim.x);
  OwnColumns<T, kCount, kHeld> own(p);
  __syncthreads();
  int stage = 0;
  unsigned phase = 0;
  int parity = 0;
  for (std::int64_t row = blockIdx.x; row < p.rows; row += gridDim.x) {
    full[stage].wait(phase);
    const auto* x_row = reinterpret_cast<const T*>(ring + stage * 2 * row_bytes);
    Pair<T, kCount, kHeld> now;
    now.load(x_row + p.columns, x_row, p.columns / kCount);
    float sums[2] = {};
    own.sum(now, sums[0], sums[1]);
    // Two arrays in turn: a warp that is a row ahead must not overwrite what another still reads. In here all threads
    // wait for each other, so all have read the stage.
    block_reduce_all(sums, partials[parity], Sum{});
    parity ^= 1;
    fetch(stage, row + std::int64_t{stages} * gridDim.x);
    own.finish(p, row, now, sums[0], sums[1]);
    if (++stage == stages) {
      stage = 0;
      phase ^= 1U;
    }
  }
  own.write_dw(p);
  stretch(start, [&](int) {
    // As in rmsnorm: a partial sum once more, which costs every block the same.
    const volatile float* again = partials[0][0];
    keep(again[threadIdx.x / kWarpThreads], p.dw_partials);
  });
}

template <class T, RingShape kShape>
[[nodiscard]] auto ring_kernel() {
  return backward_ring_kernel<T, kShape.threads, kShape.held, kShape.sm_threads>;
}

}  // namespace ops::rmsnorm_backward
