#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::argmax {
namespace {

constexpr int kThreads = 256;

// One block per row: the largest value, then the lowest index that holds it.
template <class T>
__global__ void reference_kernel(const T* x, double* y, std::int64_t columns) {
  __shared__ double shares[kThreads];
  const std::int64_t base = std::int64_t{blockIdx.x} * columns;
  double mine = -INFINITY;
  for (std::int64_t i = threadIdx.x; i < columns; i += kThreads) mine = fmax(mine, opgate::to_f64(x[base + i]));
  shares[threadIdx.x] = mine;
  __syncthreads();
  double largest = -INFINITY;
  for (int i = 0; i < kThreads; ++i) largest = fmax(largest, shares[i]);
  __syncthreads();
  double lowest = INFINITY;
  for (std::int64_t i = threadIdx.x; i < columns; i += kThreads) {
    if (opgate::to_f64(x[base + i]) == largest) lowest = fmin(lowest, static_cast<double>(i));
  }
  shares[threadIdx.x] = lowest;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int i = 0; i < kThreads; ++i) lowest = fmin(lowest, shares[i]);
  y[blockIdx.x] = lowest;
}

void reference(const opgate::Call& call) {
  opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T><<<static_cast<unsigned>(call.workload.dim("rows")), kThreads, 0, call.stream>>>(
        call.in["x"].as<T>(), call.out["y"].as<double>(), call.workload.dim("cols"));
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(argmax, reference)

}  // namespace
}  // namespace ops::argmax
