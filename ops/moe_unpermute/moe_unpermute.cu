#include "../device_memory.hpp"
#include "../moe/placing.hpp"
#include "../vector.cuh"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::moe_unpermute {
namespace {

using opgate::Call;

constexpr int kThreads = 256;

// Limited by HBM: topk rows of a token are read once, four of them under way per thread, and their weighted sum is
// written. One block per token; kCount = 1 where rows start unaligned.
template <class T, int kCount>
__global__ void __launch_bounds__(kThreads)
    combine_kernel(const T* x, const float* weights, const int* positions, T* y, int topk, int hidden) {
  using V = Vector<T, kCount>;
  const std::int64_t token = blockIdx.x;
  const int vectors = hidden / kCount;
  for (int v = static_cast<int>(threadIdx.x); v < vectors; v += kThreads) {
    float sum[kCount] = {};
#pragma unroll 4
    for (int i = 0; i < topk; ++i) {
      const std::int64_t from = positions[token * topk + i];
      const V value = reinterpret_cast<const V*>(x + from * hidden)[v];
      const float weight = weights[token * topk + i];
#pragma unroll
      for (int e = 0; e < kCount; ++e) sum[e] += weight * static_cast<float>(value.get(e));
    }
    V result;
#pragma unroll
    for (int e = 0; e < kCount; ++e) result.set(e, static_cast<T>(sum[e]));
    reinterpret_cast<V*>(y + token * hidden)[v] = result;
  }
}

// The weighted sum of what each token's experts returned, whose rows lie where moe_permute puts them. Those positions
// are known before the experts run, so they are found in reset and are no part of the call.
class MoeUnpermute final : public opgate::Op {
 public:
  void set_up(const Call& call) override {
    placing_.set_up(call);
    positions_.allocate(static_cast<std::size_t>(placing_.slots()) * sizeof(int));
  }

  void reset(const Call& call) override { placing_.run(call, positions_.as<int>(), nullptr); }

  void run(const Call& call) override {
    const int tokens = extent(call.workload, "tokens");
    const int hidden = extent(call.workload, "hidden");
    opgate::visit_types<__nv_bfloat16>(call.workload.dtype, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const auto kernel = hidden % kFullVector<T> == 0 ? combine_kernel<T, kFullVector<T>> : combine_kernel<T, 1>;
      kernel<<<static_cast<unsigned>(tokens), kThreads, 0, call.stream>>>(
          call.in["x"].as<T>(), call.in["weights"].as<float>(), positions_.as<int>(), call.out["y"].as<T>(),
          extent(call.workload, "topk"), hidden);
    });
    OPGATE_LAUNCHED();
  }

 private:
  moe::Placing placing_;
  DeviceMemory positions_;
};

OPGATE_OP(moe_unpermute, MoeUnpermute)

}  // namespace
}  // namespace ops::moe_unpermute
