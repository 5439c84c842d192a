#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::cast {
namespace {

// The value before it is rounded; the error bound of the output's dtype is what rounding may cost.
__global__ void reference_kernel(const float* x, double* y, std::int64_t elements) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < elements) y[i] = static_cast<double>(x[i]);
}

void reference(const opgate::Call& call) {
  const std::int64_t elements = call.out["y"].elements();
  reference_kernel<<<static_cast<unsigned>((elements + 255) / 256), 256, 0, call.stream>>>(
      call.in["x"].as<float>(), call.out["y"].as<double>(), elements);
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(cast, reference)

}  // namespace
}  // namespace ops::cast
