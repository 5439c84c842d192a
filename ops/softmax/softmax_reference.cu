#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::softmax {
namespace {

constexpr int kThreads = 256;

// One block per row, everything in f64.
template <class T>
__global__ void reference_kernel(const T* x, double* y, std::int64_t columns) {
  __shared__ double values[kThreads];
  const T* row = x + blockIdx.x * columns;
  double mine = -INFINITY;
  for (std::int64_t i = threadIdx.x; i < columns; i += kThreads) mine = fmax(mine, opgate::to_f64(row[i]));
  values[threadIdx.x] = mine;
  __syncthreads();
  double largest = -INFINITY;
  for (int i = 0; i < kThreads; ++i) largest = fmax(largest, values[i]);
  __syncthreads();
  mine = 0;
  for (std::int64_t i = threadIdx.x; i < columns; i += kThreads) mine += exp(opgate::to_f64(row[i]) - largest);
  values[threadIdx.x] = mine;
  __syncthreads();
  double total = 0;
  for (int i = 0; i < kThreads; ++i) total += values[i];
  for (std::int64_t i = threadIdx.x; i < columns; i += kThreads) {
    y[blockIdx.x * columns + i] = exp(opgate::to_f64(row[i]) - largest) / total;
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

OPGATE_REFERENCE(softmax, reference)

}  // namespace
}  // namespace ops::softmax
