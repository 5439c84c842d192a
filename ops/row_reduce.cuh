#pragma once

#include "cluster.cuh"
#include "opgate/op.hpp"
#include "row.cuh"

// One figure per row: what row_sum and row_max share.
namespace ops {

// Limited by HBM for many rows, by the few blocks that read a row for one: a cluster of up to 8 shares a long one.
template <class Combine, class T, int kCount>
__global__ void __launch_bounds__(kMaxRowThreads, 2) row_reduce_kernel(const T* x, float* y, int columns) {
  __shared__ float partials[kMaxRowWarps];
  __shared__ float slot;
  const auto cluster = cooperative_groups::this_cluster();
  const auto blocks = static_cast<int>(cluster.num_blocks());
  const int vectors = columns / kCount;
  const int slice = (vectors + blocks - 1) / blocks;
  const int first = min(vectors, static_cast<int>(cluster.block_rank()) * slice);
  const std::int64_t row = blockIdx.x / cluster.num_blocks();
  const HeldRow<T, kCount> held(x + row * columns + std::int64_t{first} * kCount, min(slice, vectors - first));
  const Combine combine;
  float mine = Combine::kNeutral;
  held.each_element([&](float value) { mine = combine(mine, value); });
  mine = cluster_reduce(block_reduce(mine, partials, combine), &slot, combine);
  if (threadIdx.x == 0 && cluster.block_rank() == 0) y[row] = mine;
}

template <class Combine>
void launch_row_reduce(const opgate::Call& call) {
  const int columns = extent(call.workload, "cols");
  const std::int64_t rows = call.workload.dim("rows");
  visit_rows<float, __half, __nv_bfloat16>(call.workload, columns, [&](auto tag, auto count) {
    using T = typename decltype(tag)::type;
    constexpr std::int64_t kPerBlock = std::int64_t{kMaxRowThreads} * kHeldVectors;
    const std::int64_t vectors = columns / count();
    const unsigned cluster = cluster_for((vectors + kPerBlock - 1) / kPerBlock);
    const unsigned blocks = blocks_for(rows * cluster, 1, call.workload);
    const unsigned threads = row_threads((vectors + cluster - 1) / cluster);
    launch_clusters(row_reduce_kernel<Combine, T, count()>, blocks, cluster, threads, call.stream,
                    static_cast<const T*>(call.in["x"].as<T>()), call.out["y"].as<float>(), columns);
  });
}

}  // namespace ops
