#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::memset {
namespace {

// The driver's own memset, as a zeroed workspace or gradient: the roof of what only writes. It is no kernel of ours, so
// the spec says "copies": "count".
class Memset final : public opgate::Op {
 public:
  void run(const opgate::Call& call) override {
    const opgate::Tensor& y = call.out["y"];
    OPGATE_CUDA(cudaMemsetAsync(y.data, 0, y.bytes(), call.stream));
  }
};

OPGATE_OP(memset, Memset)

__global__ void reference_kernel(double* y, std::int64_t elements) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < elements) y[i] = 0;
}

void reference(const opgate::Call& call) {
  const std::int64_t elements = call.out["y"].elements();
  reference_kernel<<<static_cast<unsigned>((elements + 255) / 256), 256, 0, call.stream>>>(call.out["y"].as<double>(),
                                                                                           elements);
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(memset, reference)

}  // namespace
}  // namespace ops::memset
