#include "../moe/counted_row.cuh"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::moe_unpermute {
namespace {

constexpr int kThreads = 128;
constexpr int kMostChosen = 32;

// One block per token, everything in f64.
template <class T>
__global__ void reference_kernel(const T* x, const std::int32_t* experts_of, const float* weights, double* y,
                                 std::int64_t slots, std::int64_t topk, std::int64_t hidden) {
  __shared__ std::int64_t rows[kMostChosen];
  const std::int64_t first = blockIdx.x * topk;
  if (threadIdx.x < topk) rows[threadIdx.x] = moe::counted_row(experts_of, slots, first + threadIdx.x);
  __syncthreads();
  for (std::int64_t i = threadIdx.x; i < hidden; i += kThreads) {
    double sum = 0;
    for (std::int64_t choice = 0; choice < topk; ++choice) {
      sum += opgate::to_f64(weights[first + choice]) * opgate::to_f64(x[rows[choice] * hidden + i]);
    }
    y[blockIdx.x * hidden + i] = sum;
  }
}

void reference(const opgate::Call& call) {
  const std::int64_t tokens = call.workload.dim("tokens");
  const std::int64_t topk = call.workload.dim("topk");
  if (topk > kMostChosen) {
    throw opgate::Error(opgate::ErrorKind::op, "moe_unpermute: the reference keeps 32 rows of a token",
                        call.workload.case_name(), "use a topk of at most 32");
  }
  opgate::visit_types<__nv_bfloat16>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T><<<static_cast<unsigned>(tokens), kThreads, 0, call.stream>>>(
        call.in["x"].as<T>(), call.in["experts_of"].as<std::int32_t>(), call.in["weights"].as<float>(),
        call.out["y"].as<double>(), tokens * topk, topk, call.workload.dim("hidden"));
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(moe_unpermute, reference)

}  // namespace
}  // namespace ops::moe_unpermute
