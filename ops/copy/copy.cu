#include <cstdint>

#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::copy {
namespace {

// The driver's own copy between two buffers of the device: the roof that every memory-bound kernel is held against.
// It is no kernel, so the spec says "copies": "count".
class Copy final : public opgate::Op {
 public:
  void run(const opgate::Call& call) override {
    const opgate::Tensor& x = call.in["x"];
    OPGATE_CUDA(cudaMemcpyAsync(call.out["y"].data, x.data, x.bytes(), cudaMemcpyDeviceToDevice, call.stream));
  }
};

OPGATE_OP(copy, Copy)

template <class T>
__global__ void reference_kernel(const T* x, double* y, std::int64_t elements) {
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < elements; i += step) {
    y[i] = opgate::to_f64(x[i]);
  }
}

void reference(const opgate::Call& call) {
  opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T>
        <<<1024, 256, 0, call.stream>>>(call.in["x"].as<T>(), call.out["y"].as<double>(), call.in["x"].elements());
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(copy, reference)

}  // namespace
}  // namespace ops::copy
