#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::topk {
namespace {

constexpr int kThreads = 256;

// One block per row; a round finds the next largest after (value, index) of the round before.
template <class T>
__global__ void reference_kernel(const T* x, double* values, double* indices, std::int64_t columns, std::int64_t topk) {
  __shared__ double best_value[kThreads];
  __shared__ std::int64_t best_index[kThreads];
  const std::int64_t base = std::int64_t{blockIdx.x} * columns;
  double last_value = INFINITY;
  std::int64_t last_index = -1;
  for (std::int64_t round = 0; round < topk; ++round) {
    double value = -INFINITY;
    std::int64_t index = columns;
    for (std::int64_t i = threadIdx.x; i < columns; i += kThreads) {
      const double candidate = opgate::to_f64(x[base + i]);
      const bool left = candidate < last_value || (candidate == last_value && i > last_index);
      if (left && candidate > value) {
        value = candidate;
        index = i;
      }
    }
    best_value[threadIdx.x] = value;
    best_index[threadIdx.x] = index;
    __syncthreads();
    for (int i = 0; i < kThreads; ++i) {
      if (best_value[i] > value || (best_value[i] == value && best_index[i] < index)) {
        value = best_value[i];
        index = best_index[i];
      }
    }
    __syncthreads();
    last_value = value;
    last_index = index;
    if (threadIdx.x == 0) {
      values[blockIdx.x * topk + round] = value;
      indices[blockIdx.x * topk + round] = static_cast<double>(index);
    }
  }
}

void reference(const opgate::Call& call) {
  opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T><<<static_cast<unsigned>(call.workload.dim("rows")), kThreads, 0, call.stream>>>(
        call.in["x"].as<T>(), call.out["values"].as<double>(), call.out["indices"].as<double>(),
        call.workload.dim("cols"), call.workload.dim("topk"));
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(topk, reference)

}  // namespace
}  // namespace ops::topk
