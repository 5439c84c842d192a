#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::rope {
namespace {

// One thread per element of y.
template <class T>
__global__ void reference_kernel(const T* x, const std::int32_t* positions, const float* cos_sin, double* y,
                                 std::int64_t elements, std::int64_t heads, std::int64_t half) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= elements) return;
  const std::int64_t dim = i % (2 * half);
  const std::int64_t token = i / (2 * half * heads);
  const float* row = cos_sin + positions[token] * 2 * half;
  const double cosine = static_cast<double>(row[dim % half]);
  const double sine = static_cast<double>(row[half + dim % half]);
  const double own = opgate::to_f64(x[i]);
  y[i] = dim < half ? own * cosine - opgate::to_f64(x[i + half]) * sine
                    : own * cosine + opgate::to_f64(x[i - half]) * sine;
}

void reference(const opgate::Call& call) {
  const std::int64_t elements = call.out["y"].elements();
  opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T><<<static_cast<unsigned>((elements + 255) / 256), 256, 0, call.stream>>>(
        call.in["x"].as<T>(), call.in["positions"].as<std::int32_t>(), call.in["cos_sin"].as<float>(),
        call.out["y"].as<double>(), elements, call.workload.dim("heads"), call.workload.dim("half"));
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(rope, reference)

}  // namespace
}  // namespace ops::rope
