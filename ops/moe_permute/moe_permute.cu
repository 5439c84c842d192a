#include "../moe/placing.hpp"
#include "../vector.cuh"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::moe_permute {
namespace {

using opgate::Call;

constexpr int kThreads = 256;

// Limited by HBM: a token's row is read once and written topk times, 16 bytes a thread (kCount = 1 where rows start
// unaligned). One block per token.
template <class T, int kCount>
__global__ void __launch_bounds__(kThreads)
    gather_kernel(const T* x, const int* positions, T* y, int topk, int hidden) {
  using V = Vector<T, kCount>;
  const std::int64_t token = blockIdx.x;
  const int vectors = hidden / kCount;
  const auto* row = reinterpret_cast<const V*>(x + token * hidden);
  for (int v = static_cast<int>(threadIdx.x); v < vectors; v += kThreads) {
    const V value = row[v];
#pragma unroll 4
    for (int i = 0; i < topk; ++i) {
      const std::int64_t to = positions[token * topk + i];
      reinterpret_cast<V*>(y + to * hidden)[v] = value;
    }
  }
}

// Copies each token's row to each of its experts: rows sorted by expert, in the order of tokens within one.
class MoePermute final : public opgate::Op {
 public:
  void set_up(const Call& call) override { placing_.set_up(call); }

  void run(const Call& call) override {
    placing_.run(call, call.out["positions"].as<int>(), call.out["ends"].as<int>());
    const int tokens = extent(call.workload, "tokens");
    const int hidden = extent(call.workload, "hidden");
    opgate::visit_types<__nv_bfloat16>(call.workload.dtype, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const auto kernel = hidden % kFullVector<T> == 0 ? gather_kernel<T, kFullVector<T>> : gather_kernel<T, 1>;
      kernel<<<static_cast<unsigned>(tokens), kThreads, 0, call.stream>>>(
          call.in["x"].as<T>(), call.out["positions"].as<int>(), call.out["y"].as<T>(), extent(call.workload, "topk"),
          hidden);
    });
    OPGATE_LAUNCHED();
  }

 private:
  moe::Placing placing_;
};

OPGATE_OP(moe_permute, MoePermute)

}  // namespace
}  // namespace ops::moe_permute
