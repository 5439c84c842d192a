#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::embedding {
namespace {

template <class T>
__global__ void reference_kernel(const T* table, const std::int32_t* ids, double* y, std::int64_t hidden) {
  const std::int64_t id = ids[blockIdx.x];
  for (std::int64_t i = threadIdx.x; i < hidden; i += blockDim.x) {
    y[std::int64_t{blockIdx.x} * hidden + i] = opgate::to_f64(table[id * hidden + i]);
  }
}

void reference(const opgate::Call& call) {
  opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T><<<static_cast<unsigned>(call.workload.dim("tokens")), 256, 0, call.stream>>>(
        call.in["table"].as<T>(), call.in["ids"].as<std::int32_t>(), call.out["y"].as<double>(),
        call.workload.dim("hidden"));
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(embedding, reference)

}  // namespace
}  // namespace ops::embedding
