#pragma once

#include <cstdint>

#include "decode_kernel.cuh"
#include "launch.hpp"
#include "tile_plan.hpp"

namespace ops::gemm {

// What multiplies the few rows of a decode step, is_narrow(): stream_kernel(rows, groups) or narrow_kernel(width,
// strips), called with constants, is the kernel.
template <class StreamKernel, class NarrowKernel>
[[nodiscard]] Launch launch_few_rows(int m, int n, std::int64_t row_bytes, StreamKernel&& stream_kernel,
                                     NarrowKernel&& narrow_kernel) {
  if (is_streamed(m, row_bytes)) {
    const StreamPlan plan = stream_plan(m, n, multiprocessors());
    return visit_stream(m, plan, [&](auto rows, auto groups) {
      return launch_of(stream_kernel(rows, groups), plan.blocks, kStreamThreads, Turn<rows(), groups()>::kSharedBytes);
    });
  }
  const NarrowPlan plan = narrow_plan(n, static_cast<int>(row_bytes), multiprocessors());
  return visit_narrow(plan, [&](auto width, auto strips) {
    using Shape = NarrowTile<width(), strips()>;
    return launch_of(narrow_kernel(width, strips), std::int64_t{plan.clusters} * plan.splits, Shape::kThreads,
                     Shape::kSharedBytes, plan.splits);
  });
}

template <class T>
[[nodiscard]] Launch launch_decode(const opgate::Workload& workload, const Problem<T>& p) {
  require_bulk(workload, p.a, p.b);
  return launch_few_rows(
      p.m, p.n, p.k * std::int64_t{sizeof(T)},
      [](auto rows, auto groups) { return decode_kernel<T, rows(), groups()>; },
      [](auto width, auto strips) { return narrow_kernel<T, width(), strips()>; });
}

}  // namespace ops::gemm
