#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::log_softmax {
namespace {

constexpr int kThreads = 256;

// One block per row, everything in f64.
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
  mine = 0;
  for (std::int64_t i = threadIdx.x; i < columns; i += kThreads) mine += exp(opgate::to_f64(x[base + i]) - largest);
  shares[threadIdx.x] = mine;
  __syncthreads();
  double total = 0;
  for (int i = 0; i < kThreads; ++i) total += shares[i];
  for (std::int64_t i = threadIdx.x; i < columns; i += kThreads) {
    y[base + i] = opgate::to_f64(x[base + i]) - largest - log(total);
  }
}

void reference(const opgate::Call& call) {
  opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T><<<static_cast<unsigned>(call.workload.dim("rows")), kThreads, 0, call.stream>>>(
        call.in["x"].as<T>(), call.out["y"].as<double>(), call.workload.dim("cols"));
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(log_softmax, reference)

}  // namespace
}  // namespace ops::log_softmax
