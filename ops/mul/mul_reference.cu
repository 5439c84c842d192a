#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::mul {
namespace {

template <class T>
__global__ void reference_kernel(const T* a, const T* b, double* c, std::int64_t elements) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < elements) c[i] = opgate::to_f64(a[i]) * opgate::to_f64(b[i]);
}

void reference(const opgate::Call& call) {
  const std::int64_t elements = call.out["c"].elements();
  opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T><<<static_cast<unsigned>((elements + 255) / 256), 256, 0, call.stream>>>(
        call.in["a"].as<T>(), call.in["b"].as<T>(), call.out["c"].as<double>(), elements);
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(mul, reference)

}  // namespace
}  // namespace ops::mul
