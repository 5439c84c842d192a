#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::add_rmsnorm {
namespace {

constexpr int kThreads = 256;

// One block per row, everything in f64 and unrounded.
template <class T>
__global__ void reference_kernel(const T* x, const T* residual, const T* w, double* sum, double* y,
                                 std::int64_t columns, double eps) {
  __shared__ double shares[kThreads];
  const std::int64_t base = std::int64_t{blockIdx.x} * columns;
  double mine = 0;
  for (std::int64_t i = threadIdx.x; i < columns; i += kThreads) {
    const double value = opgate::to_f64(x[base + i]) + opgate::to_f64(residual[base + i]);
    sum[base + i] = value;
    mine += value * value;
  }
  shares[threadIdx.x] = mine;
  __syncthreads();
  double total = 0;
  for (int i = 0; i < kThreads; ++i) total += shares[i];
  const double rms = sqrt(total / static_cast<double>(columns) + eps);
  for (std::int64_t i = threadIdx.x; i < columns; i += kThreads) {
    y[base + i] = sum[base + i] / rms * opgate::to_f64(w[i]);
  }
}

void reference(const opgate::Call& call) {
  opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T><<<static_cast<unsigned>(call.workload.dim("rows")), kThreads, 0, call.stream>>>(
        call.in["x"].as<T>(), call.in["residual"].as<T>(), call.in["w"].as<T>(), call.out["sum"].as<double>(),
        call.out["y"].as<double>(), call.workload.dim("cols"), call.workload.param("eps"));
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(add_rmsnorm, reference)

}  // namespace
}  // namespace ops::add_rmsnorm
