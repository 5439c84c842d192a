#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::transpose {
namespace {

template <class T>
__global__ void reference_kernel(const T* x, double* y, std::int64_t rows, std::int64_t columns) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < rows * columns) y[i] = opgate::to_f64(x[i % rows * columns + i / rows]);
}

void reference(const opgate::Call& call) {
  const std::int64_t elements = call.out["y"].elements();
  opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T><<<static_cast<unsigned>((elements + 255) / 256), 256, 0, call.stream>>>(
        call.in["x"].as<T>(), call.out["y"].as<double>(), call.workload.dim("rows"), call.workload.dim("cols"));
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(transpose, reference)

}  // namespace
}  // namespace ops::transpose
