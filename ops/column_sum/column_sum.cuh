#pragma once

#include <algorithm>
#include <cstdint>

#include "../device_memory.hpp"
#include "../extent.hpp"
#include "../slowdown.cuh"
#include "../vector.cuh"
#include "opgate/cuda.cuh"

// Sums over rows. The last step is also that of rmsnorm_backward.
namespace ops::column_sum {

inline constexpr int kLanes = 32;
inline constexpr int kWarps = 8;
inline constexpr int kInFlight = 4;  // rows per thread
inline constexpr int kBlocksPerProcessor = 4;

// Adds up the warps' shares: `sums` of a thread belongs to `kCount` neighbouring columns. Afterwards thread t holds the
// total of column t / kLanes of the vector of lane t % kLanes, for t < kLanes * kCount.
template <int kCount>
__device__ float add_warps(const float (&sums)[kCount]) {
  __shared__ float shares[kWarps][kCount][kLanes];
#pragma unroll
  for (int e = 0; e < kCount; ++e) shares[threadIdx.y][e][threadIdx.x] = sums[e];
  __syncthreads();
  const unsigned t = threadIdx.y * kLanes + threadIdx.x;
  float total = 0;
  if (t < kLanes * kCount) {
#pragma unroll
    for (int warp = 0; warp < kWarps; ++warp) total += shares[warp][t / kLanes][t % kLanes];
  }
  return total;
}

// Limited by HBM: a warp reads 32 vectors of a row, the warps of a block take turns at the rows of its chunk. One block
// per strip of columns and chunk of rows; all are resident at once.
template <class T, int kCount>
__global__ void __launch_bounds__(kLanes* kWarps, kBlocksPerProcessor)
    chunk_sums_kernel(const T* x, float* partials, std::int64_t rows, int columns, std::int64_t rows_per_chunk) {
  using V = Vector<T, kCount>;
  const long long start = slow_start();
  const int vectors = columns / kCount;
  const int v = static_cast<int>(blockIdx.x * kLanes + threadIdx.x);
  const std::int64_t row0 = blockIdx.y * rows_per_chunk;
  const std::int64_t end = min(rows, row0 + rows_per_chunk);
  const auto vector_of = [&](std::int64_t row) { return reinterpret_cast<const V*>(x + row * columns)[v]; };
  float sums[kCount] = {};
  if (v < vectors) {
    for (std::int64_t row = row0 + threadIdx.y; row < end; row += kWarps * kInFlight) {
      V held[kInFlight];
#pragma unroll
      for (int i = 0; i < kInFlight; ++i) {
        if (row + i * kWarps < end) held[i] = vector_of(row + i * kWarps);
      }
#pragma unroll
      for (int i = 0; i < kInFlight; ++i) {
        if (row + i * kWarps >= end) continue;
#pragma unroll
        for (int e = 0; e < kCount; ++e) sums[e] += static_cast<float>(held[i].get(e));
      }
    }
  }
  const float total = add_warps(sums);
  const int t = static_cast<int>(threadIdx.y * kLanes + threadIdx.x);
  const int column = (static_cast<int>(blockIdx.x) * kLanes + t % kLanes) * kCount + t / kLanes;
  if (t < kLanes * kCount && column < columns) partials[std::int64_t{blockIdx.y} * columns + column] = total;
  stretch(start, [&](int pass) {
    const std::int64_t row = row0 + (threadIdx.y + static_cast<unsigned>(pass) * kWarps) % (end - row0);
    const volatile auto* again = reinterpret_cast<const unsigned char*>(x + row * columns);
    keep(static_cast<float>(again[0]), partials);
  });
}

// Limited by latency: the partial sums are few and in L2.
template <class Out>
__global__ void __launch_bounds__(kLanes* kWarps)
    add_chunks_kernel(const float* partials, Out* y, int columns, int chunks) {
  const long long start = slow_start();
  const int column = static_cast<int>(blockIdx.x * kLanes + threadIdx.x);
  float sums[1] = {};
  if (column < columns) {
#pragma unroll 4
    for (int chunk = static_cast<int>(threadIdx.y); chunk < chunks; chunk += kWarps) {
      sums[0] += partials[std::int64_t{chunk} * columns + column];
    }
  }
  const float total = add_warps(sums);
  if (threadIdx.y == 0 && column < columns) y[column] = static_cast<Out>(total);
  stretch(start, [&](int) {
    const volatile float* again = partials;
    keep(again[column < columns ? column : 0], y);
  });
}

template <class Out>
void launch_add_chunks(const float* partials, Out* y, int columns, int chunks, const opgate::Call& call) {
  add_chunks_kernel<Out><<<blocks_for(columns, kLanes, call.workload), dim3(kLanes, kWarps), 0, call.stream>>>(
      partials, y, columns, chunks);
  OPGATE_LAUNCHED();
}

}  // namespace ops::column_sum
