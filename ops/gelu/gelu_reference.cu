#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::gelu {
namespace {

template <class T>
__global__ void reference_kernel(const T* x, double* y, std::int64_t elements) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= elements) return;
  constexpr double kRootTwoOverPi = 0.79788456080286535588;
  const double value = opgate::to_f64(x[i]);
  y[i] = 0.5 * value * (1.0 + tanh(kRootTwoOverPi * (value + 0.044715 * pow(value, 3.0))));
}

void reference(const opgate::Call& call) {
  const std::int64_t elements = call.out["y"].elements();
  opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T><<<static_cast<unsigned>((elements + 255) / 256), 256, 0, call.stream>>>(
        call.in["x"].as<T>(), call.out["y"].as<double>(), elements);
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(gelu, reference)

}  // namespace
}  // namespace ops::gelu
