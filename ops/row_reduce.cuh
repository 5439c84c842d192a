#pragma once

#include "cluster.cuh"
#include "opgate/op.hpp"
#include "row.cuh"

// One figure per row: what row_sum and row_max share.
namespace ops {

// Limited by HBM for many rows, by the few blocks that read a row for one: a cluster of up to 8 shares a long one where
// there are not many.
template <class Combine, class T, int kCount>
__global__ void __launch_bounds__(kMaxRowThreads, 2)
    row_reduce_kernel(const T* x, float* y, std::int64_t rows, int columns) {
  __shared__ float partials[kMaxRowWarps];
  __shared__ float slot;
  const RowSlice slice = row_slice(columns / kCount);
  if (slice.row >= rows) return;  // whole warps, that share their row with no other
  const HeldRow<T, kCount> held(x + slice.row * columns + std::int64_t{slice.first} * kCount, slice.vectors);
  const Combine combine;
  float mine = Combine::kNeutral;
  held.each_element([&](float value) { mine = combine(mine, value); });
  mine = cluster_reduce(block_reduce(mine, partials, combine), &slot, combine);
  if (is_row_leader()) y[slice.row] = mine;
}

template <class Combine>
void launch_row_reduce(const opgate::Call& call) {
  const int columns = extent(call.workload, "cols");
  visit_rows<float, __half, __nv_bfloat16>(call.workload, columns, [&](auto tag, auto count) {
    using T = typename decltype(tag)::type;
    launch_clusters(row_reduce_kernel<Combine, T, count()>, plan_reduction(columns / count(), call.workload),
                    call.stream, static_cast<const T*>(call.in["x"].as<T>()), call.out["y"].as<float>(),
                    call.workload.dim("rows"), columns);
  });
}

}  // namespace ops
