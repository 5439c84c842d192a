#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::row_sum {
namespace {

constexpr int kThreads = 256;

// One block per row, in f64.
template <class T>
__global__ void reference_kernel(const T* x, double* y, std::int64_t columns) {
  __shared__ double shares[kThreads];
  const std::int64_t base = std::int64_t{blockIdx.x} * columns;
  double mine = 0;
  for (std::int64_t i = threadIdx.x; i < columns; i += kThreads) mine += opgate::to_f64(x[base + i]);
  shares[threadIdx.x] = mine;
  __syncthreads();
  if (threadIdx.x != 0) return;
  double total = shares[0];
  for (int i = 1; i < kThreads; ++i) total += shares[i];
  y[blockIdx.x] = total;
}

void reference(const opgate::Call& call) {
  opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T><<<static_cast<unsigned>(call.workload.dim("rows")), kThreads, 0, call.stream>>>(
        call.in["x"].as<T>(), call.out["y"].as<double>(), call.workload.dim("cols"));
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(row_sum, reference)

}  // namespace
}  // namespace ops::row_sum
