#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::silu_and_mul {
namespace {

template <class T>
__global__ void reference_kernel(const T* x, double* y, std::int64_t elements, std::int64_t columns) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= elements) return;
  const std::int64_t row = i / columns;
  const std::int64_t column = i % columns;
  const double gate = opgate::to_f64(x[row * 2 * columns + column]);
  const double up = opgate::to_f64(x[(row * 2 + 1) * columns + column]);
  y[i] = gate * up / (1.0 + exp(-gate));
}

void reference(const opgate::Call& call) {
  const std::int64_t elements = call.out["y"].elements();
  opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T><<<static_cast<unsigned>((elements + 255) / 256), 256, 0, call.stream>>>(
        call.in["x"].as<T>(), call.out["y"].as<double>(), elements, call.workload.dim("cols"));
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(silu_and_mul, reference)

}  // namespace
}  // namespace ops::silu_and_mul
