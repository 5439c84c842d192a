#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::quantize_fp8 {
namespace {

constexpr int kThreads = 256;

// One block per row, in f64; q before it is rounded.
template <class T>
__global__ void reference_kernel(const T* x, double* q, double* scale, std::int64_t columns) {
  __shared__ double shares[kThreads];
  const std::int64_t base = std::int64_t{blockIdx.x} * columns;
  double mine = 0;
  for (std::int64_t i = threadIdx.x; i < columns; i += kThreads) mine = fmax(mine, fabs(opgate::to_f64(x[base + i])));
  shares[threadIdx.x] = mine;
  __syncthreads();
  double largest = 0;
  for (int i = 0; i < kThreads; ++i) largest = fmax(largest, shares[i]);
  const double my_scale = largest / 448.0;
  for (std::int64_t i = threadIdx.x; i < columns; i += kThreads) {
    q[base + i] = largest > 0 ? opgate::to_f64(x[base + i]) / my_scale : 0;
  }
  if (threadIdx.x == 0) scale[blockIdx.x] = my_scale;
}

void reference(const opgate::Call& call) {
  opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T><<<static_cast<unsigned>(call.workload.dim("rows")), kThreads, 0, call.stream>>>(
        call.in["x"].as<T>(), call.out["q"].as<double>(), call.out["scale"].as<double>(), call.workload.dim("cols"));
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(quantize_fp8, reference)

}  // namespace
}  // namespace ops::quantize_fp8
