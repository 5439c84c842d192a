#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::column_sum {
namespace {

constexpr int kThreads = 256;

// One block per column, in f64.
template <class T>
__global__ void reference_kernel(const T* x, double* y, std::int64_t rows, std::int64_t columns) {
  __shared__ double shares[kThreads];
  double mine = 0;
  for (std::int64_t row = threadIdx.x; row < rows; row += kThreads) {
    mine += opgate::to_f64(x[row * columns + blockIdx.x]);
  }
  shares[threadIdx.x] = mine;
  __syncthreads();
  if (threadIdx.x != 0) return;
  double total = 0;
  for (int i = 0; i < kThreads; ++i) total += shares[i];
  y[blockIdx.x] = total;
}

void reference(const opgate::Call& call) {
  opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T><<<static_cast<unsigned>(call.workload.dim("cols")), kThreads, 0, call.stream>>>(
        call.in["x"].as<T>(), call.out["y"].as<double>(), call.workload.dim("rows"), call.workload.dim("cols"));
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(column_sum, reference)

}  // namespace
}  // namespace ops::column_sum
