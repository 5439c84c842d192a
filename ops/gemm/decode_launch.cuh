#pragma once

#include <cstdint>

#include "decode_kernel.cuh"
#include "launch.hpp"
#include "tile_plan.hpp"

namespace ops::gemm {

// What multiplies the few rows of a decode step: is_narrow().
template <class T>
[[nodiscard]] Launch launch_decode(const opgate::Workload& workload, const Problem<T>& p) {
  require_bulk(workload, p.a, p.b);
  const std::int64_t row_bytes = p.k * std::int64_t{sizeof(T)};
  if (is_streamed(p.m, row_bytes)) {
    const StreamPlan plan = stream_plan(p.m, p.n, multiprocessors());
    return visit_stream(p.m, plan, [&](auto rows, auto groups) {
      return launch_of(decode_kernel<T, rows(), groups()>, plan.blocks, kStreamThreads,
                       Turn<rows(), groups()>::kSharedBytes);
    });
  }
  const NarrowPlan plan = narrow_plan(p.n, static_cast<int>(row_bytes), multiprocessors());
  return visit_narrow(plan, [&](auto width, auto strips) {
    using Shape = NarrowTile<width(), strips()>;
    return launch_of(narrow_kernel<T, width(), strips()>, std::int64_t{plan.clusters} * plan.splits, Shape::kThreads,
                     Shape::kSharedBytes, plan.splits);
  });
}

}  // namespace ops::gemm
