#pragma once

#include <algorithm>
#include <cstdint>

#include "block_reduce.cuh"
#include "device_memory.hpp"
#include "extent.hpp"
#include "multiprocessors.hpp"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"
#include "row.cuh"
#include "slowdown.cuh"
#include "vector.cuh"

// One figure per column: what column_sum and column_max share. The last step is also that of rmsnorm_backward.
namespace ops {

inline constexpr int kStripLanes = 32;
inline constexpr int kStripWarps = 8;
inline constexpr int kStripRows = 4;    // in flight per thread
inline constexpr int kStripBlocks = 4;  // per SM
inline constexpr int kChunksAhead = 4;  // shares of chunks in flight per thread

// Combines the warps' shares: `figures` of a thread belong to `kCount` neighbouring columns. Afterwards thread t holds
// the figure of column t / kStripLanes of the vector of lane t % kStripLanes, for t < kStripLanes * kCount.
template <class Combine, int kCount>
__device__ float combine_warps(const float (&figures)[kCount], Combine combine) {
  __shared__ float shares[kStripWarps][kCount][kStripLanes];
#pragma unroll
  for (int e = 0; e < kCount; ++e) shares[threadIdx.y][e][threadIdx.x] = figures[e];
  __syncthreads();
  const unsigned t = threadIdx.y * kStripLanes + threadIdx.x;
  float total = Combine::kNeutral;
  if (t < kStripLanes * kCount) {
#pragma unroll
    for (int warp = 0; warp < kStripWarps; ++warp) {
      total = combine(total, shares[warp][t / kStripLanes][t % kStripLanes]);
    }
  }
  return total;
}

// Limited by HBM: a warp reads 32 vectors of a row, the warps of a block take turns at the rows of its chunk. One block
// per strip of columns and chunk of rows; all are resident at once.
template <class Combine, class T, int kCount>
__global__ void __launch_bounds__(kStripLanes* kStripWarps, kStripBlocks)
    column_chunks_kernel(const T* x, float* partials, std::int64_t rows, int columns, std::int64_t rows_per_chunk) {
  using V = Vector<T, kCount>;
  const long long start = slow_start();
  const int vectors = columns / kCount;
  const int v = static_cast<int>(blockIdx.x * kStripLanes + threadIdx.x);
  const std::int64_t row0 = blockIdx.y * rows_per_chunk;
  const std::int64_t end = min(rows, row0 + rows_per_chunk);
  const auto vector_of = [&](std::int64_t row) { return reinterpret_cast<const V*>(x + row * columns)[v]; };
  const Combine combine;
  float figures[kCount];
#pragma unroll
  for (int e = 0; e < kCount; ++e) figures[e] = Combine::kNeutral;
  if (v < vectors) {
    for (std::int64_t row = row0 + threadIdx.y; row < end; row += kStripWarps * kStripRows) {
      V held[kStripRows];
#pragma unroll
      for (int i = 0; i < kStripRows; ++i) {
        if (row + i * kStripWarps < end) held[i] = vector_of(row + i * kStripWarps);
      }
#pragma unroll
      for (int i = 0; i < kStripRows; ++i) {
        if (row + i * kStripWarps >= end) continue;
#pragma unroll
        for (int e = 0; e < kCount; ++e) figures[e] = combine(figures[e], static_cast<float>(held[i].get(e)));
      }
    }
  }
  const float total = combine_warps(figures, combine);
  const int t = static_cast<int>(threadIdx.y * kStripLanes + threadIdx.x);
  const int column = (static_cast<int>(blockIdx.x) * kStripLanes + t % kStripLanes) * kCount + t / kStripLanes;
  if (t < kStripLanes * kCount && column < columns) partials[std::int64_t{blockIdx.y} * columns + column] = total;
  stretch(start, [&](int pass) {
    const std::int64_t row = row0 + (threadIdx.y + static_cast<unsigned>(pass) * kStripWarps) % (end - row0);
    const volatile auto* again = reinterpret_cast<const unsigned char*>(x + row * columns);
    keep(static_cast<float>(again[0]), partials);
  });
}

// Limited by latency: the partial figures are few and in L2.
template <class Combine, int kAhead, class Out>
__global__ void __launch_bounds__(kStripLanes* kStripWarps)
    combine_chunks_kernel(const float* partials, Out* y, int columns, int chunks) {
  const long long start = slow_start();
  const int column = static_cast<int>(blockIdx.x * kStripLanes + threadIdx.x);
  const Combine combine;
  float figures[1] = {Combine::kNeutral};
  if (column < columns) {
#pragma unroll kAhead
    for (int chunk = static_cast<int>(threadIdx.y); chunk < chunks; chunk += kStripWarps) {
      figures[0] = combine(figures[0], partials[std::int64_t{chunk} * columns + column]);
    }
  }
  const float total = combine_warps(figures, combine);
  if (threadIdx.y == 0 && column < columns) y[column] = static_cast<Out>(total);
  stretch(start, [&](int) {
    const volatile float* again = partials;
    keep(again[column < columns ? column : 0], y);
  });
}

template <class Combine, int kAhead = kChunksAhead, class Out>
void launch_combine_chunks(const float* partials, Out* y, int columns, int chunks, const opgate::Call& call) {
  combine_chunks_kernel<Combine, kAhead, Out>
      <<<blocks_for(columns, kStripLanes, call.workload), dim3(kStripLanes, kStripWarps), 0, call.stream>>>(
          partials, y, columns, chunks);
  OPGATE_LAUNCHED();
}

// y = each column's figure, in f32; x in f32, f16 or bf16. Two kernels: figures of chunks of rows, then of these.
template <class Combine>
class ColumnReduce : public opgate::Op {
 public:
  void set_up(const opgate::Call& call) override {
    rows_ = call.workload.dim("rows");
    columns_ = extent(call.workload, "cols");
    visit_rows<float, __half, __nv_bfloat16>(call.workload, columns_, [&](auto, auto count) {
      strips_ = blocks_for(columns_ / count(), kStripLanes, call.workload);
    });
    const std::int64_t wanted = std::int64_t{multiprocessors()} * kStripBlocks / strips_;
    const std::int64_t most = (rows_ + kStripWarps * kStripRows - 1) / (kStripWarps * kStripRows);
    const std::int64_t chunks = std::clamp<std::int64_t>(wanted, 1, most);
    rows_per_chunk_ = (rows_ + chunks - 1) / chunks;
    chunks_ = static_cast<int>((rows_ + rows_per_chunk_ - 1) / rows_per_chunk_);
    partials_.allocate(static_cast<std::size_t>(chunks_) * static_cast<std::size_t>(columns_) * sizeof(float));
  }

  void run(const opgate::Call& call) override {
    const dim3 blocks(strips_, static_cast<unsigned>(chunks_));
    visit_rows<float, __half, __nv_bfloat16>(call.workload, columns_, [&](auto tag, auto count) {
      using T = typename decltype(tag)::type;
      column_chunks_kernel<Combine, T, count()><<<blocks, dim3(kStripLanes, kStripWarps), 0, call.stream>>>(
          call.in["x"].as<T>(), partials_.as<float>(), rows_, columns_, rows_per_chunk_);
    });
    OPGATE_LAUNCHED();
    launch_combine_chunks<Combine>(partials_.as<float>(), call.out["y"].as<float>(), columns_, chunks_, call);
  }

 private:
  std::int64_t rows_ = 0;
  std::int64_t rows_per_chunk_ = 0;
  int columns_ = 0;
  int chunks_ = 0;
  unsigned strips_ = 0;
  DeviceMemory partials_;
};

}  // namespace ops
