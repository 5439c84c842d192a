#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::cumsum {
namespace {

constexpr int kThreads = 256;

// One block per row, in f64: a thread sums its share, then adds what the threads before it have.
template <class T>
__global__ void reference_kernel(const T* x, double* y, std::int64_t columns) {
  __shared__ double shares[kThreads];
  const std::int64_t base = std::int64_t{blockIdx.x} * columns;
  const std::int64_t share = (columns + kThreads - 1) / kThreads;
  const std::int64_t begin = min(columns, share * threadIdx.x);
  const std::int64_t end = min(columns, begin + share);
  double sum = 0;
  for (std::int64_t i = begin; i < end; ++i) sum += opgate::to_f64(x[base + i]);
  shares[threadIdx.x] = sum;
  __syncthreads();
  sum = 0;
  for (unsigned i = 0; i < threadIdx.x; ++i) sum += shares[i];
  for (std::int64_t i = begin; i < end; ++i) {
    sum += opgate::to_f64(x[base + i]);
    y[base + i] = sum;
  }
}

void reference(const opgate::Call& call) {
  opgate::visit_types<float, std::int32_t>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T><<<static_cast<unsigned>(call.workload.dim("rows")), kThreads, 0, call.stream>>>(
        call.in["x"].as<T>(), call.out["y"].as<double>(), call.workload.dim("cols"));
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(cumsum, reference)

}  // namespace
}  // namespace ops::cumsum
