#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::layernorm {
namespace {

constexpr int kThreads = 256;

__device__ double total_of(double mine, double* shares) {
  shares[threadIdx.x] = mine;
  __syncthreads();
  double total = 0;
  for (int i = 0; i < kThreads; ++i) total += shares[i];
  __syncthreads();
  return total;
}

// One block per row, everything in f64.
template <class T>
__global__ void reference_kernel(const T* x, const T* w, const T* b, double* y, std::int64_t columns, double eps) {
  __shared__ double shares[kThreads];
  const std::int64_t base = std::int64_t{blockIdx.x} * columns;
  double sum = 0;
  for (std::int64_t i = threadIdx.x; i < columns; i += kThreads) sum += opgate::to_f64(x[base + i]);
  const double mean = total_of(sum, shares) / static_cast<double>(columns);
  double squares = 0;
  for (std::int64_t i = threadIdx.x; i < columns; i += kThreads)
    squares += pow(opgate::to_f64(x[base + i]) - mean, 2.0);
  const double deviation = sqrt(total_of(squares, shares) / static_cast<double>(columns) + eps);
  for (std::int64_t i = threadIdx.x; i < columns; i += kThreads) {
    y[base + i] = (opgate::to_f64(x[base + i]) - mean) / deviation * opgate::to_f64(w[i]) + opgate::to_f64(b[i]);
  }
}

void reference(const opgate::Call& call) {
  opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T><<<static_cast<unsigned>(call.workload.dim("rows")), kThreads, 0, call.stream>>>(
        call.in["x"].as<T>(), call.in["w"].as<T>(), call.in["b"].as<T>(), call.out["y"].as<double>(),
        call.workload.dim("cols"), call.workload.param("eps"));
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(layernorm, reference)

}  // namespace
}  // namespace ops::layernorm
