#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::moe_topk {
namespace {

constexpr int kThreads = 128;

// One thread per token: an expert's place is how many others come before it. Everything in f64.
template <class T>
__global__ void reference_kernel(const T* logits, double* weights, double* indices, std::int64_t tokens,
                                 std::int64_t experts, std::int64_t chosen, bool renormalise) {
  const std::int64_t token = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (token >= tokens) return;
  const T* mine = logits + token * experts;
  double sum = 0;
  for (std::int64_t e = 0; e < experts; ++e) {
    const double value = opgate::to_f64(mine[e]);
    std::int64_t place = 0;
    for (std::int64_t other = 0; other < experts; ++other) {
      const double against = opgate::to_f64(mine[other]);
      if (against > value || (against == value && other < e)) ++place;
    }
    if (place < chosen || !renormalise)
      sum += exp(value);  // logits are within [-100, 100): far from where f64 overflows
    if (place < chosen) {
      weights[token * chosen + place] = exp(value);
      indices[token * chosen + place] = static_cast<double>(e);
    }
  }
  for (std::int64_t i = 0; i < chosen; ++i) weights[token * chosen + i] /= sum;
}

void reference(const opgate::Call& call) {
  const std::int64_t tokens = call.workload.dim("tokens");
  opgate::visit_types<float, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T><<<static_cast<unsigned>((tokens + kThreads - 1) / kThreads), kThreads, 0, call.stream>>>(
        call.in["logits"].as<T>(), call.out["weights"].as<double>(), call.out["indices"].as<double>(), tokens,
        call.workload.dim("experts"), call.workload.dim("topk"), call.workload.param("renormalise") != 0);
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(moe_topk, reference)

}  // namespace
}  // namespace ops::moe_topk
