#include "../moe/counted_row.cuh"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::moe_permute {
namespace {

constexpr int kThreads = 128;

__global__ void positions_kernel(const std::int32_t* experts_of, double* positions, std::int64_t slots) {
  const std::int64_t slot = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (slot < slots) positions[slot] = static_cast<double>(moe::counted_row(experts_of, slots, slot));
}

__global__ void ends_kernel(const std::int32_t* experts_of, double* ends, std::int64_t slots, std::int64_t experts) {
  const std::int64_t expert = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (expert >= experts) return;
  std::int64_t end = 0;
  for (std::int64_t slot = 0; slot < slots; ++slot) end += experts_of[slot] <= expert ? 1 : 0;
  ends[expert] = static_cast<double>(end);
}

// One block per slot.
template <class T>
__global__ void rows_kernel(const T* x, const double* positions, double* y, std::int64_t topk, std::int64_t hidden) {
  const T* from = x + blockIdx.x / topk * hidden;
  double* to = y + static_cast<std::int64_t>(positions[blockIdx.x]) * hidden;
  for (std::int64_t i = threadIdx.x; i < hidden; i += kThreads) to[i] = opgate::to_f64(from[i]);
}

void reference(const opgate::Call& call) {
  const std::int64_t topk = call.workload.dim("topk");
  const std::int64_t slots = call.workload.dim("tokens") * topk;
  const std::int64_t experts = call.workload.dim("experts");
  const auto* experts_of = call.in["experts_of"].as<std::int32_t>();
  auto* positions = call.out["positions"].as<double>();
  positions_kernel<<<static_cast<unsigned>((slots + kThreads - 1) / kThreads), kThreads, 0, call.stream>>>(
      experts_of, positions, slots);
  OPGATE_LAUNCHED();
  ends_kernel<<<static_cast<unsigned>((experts + kThreads - 1) / kThreads), kThreads, 0, call.stream>>>(
      experts_of, call.out["ends"].as<double>(), slots, experts);
  OPGATE_LAUNCHED();
  opgate::visit_types<__nv_bfloat16>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    rows_kernel<T><<<static_cast<unsigned>(slots), kThreads, 0, call.stream>>>(
        call.in["x"].as<T>(), positions, call.out["y"].as<double>(), topk, call.workload.dim("hidden"));
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(moe_permute, reference)

}  // namespace
}  // namespace ops::moe_permute
