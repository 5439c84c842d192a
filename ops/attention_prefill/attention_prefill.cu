#include <cmath>
#include <cstdint>

#include "../extent.hpp"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"
#include "prefill_kernel.cuh"

namespace ops::attention_prefill {
namespace {

using opgate::Call;

// Causal attention over whole sequences; query heads share key heads in groups.
class AttentionPrefill final : public opgate::Op {
 public:
  void set_up(const Call& call) override {
    const int heads = extent(call.workload, "heads");
    const int kv_heads = extent(call.workload, "kv_heads");
    const int batch = extent(call.workload, "batch");
    constexpr int kMostInGridYz = 65535;
    require(call.workload.dim("dim") == kDim, call.workload, "dim is not 128", "use heads of 128");
    require(heads % kv_heads == 0, call.workload, "heads is no multiple of kv_heads",
            "give every key head the same number of query heads");
    require(batch <= kMostInGridYz && heads <= kMostInGridYz, call.workload, "batch or heads above 65535",
            "split the batch");
    blocks_ = dim3(blocks_for(extent(call.workload, "seq"), kTile, call.workload), static_cast<unsigned>(heads),
                   static_cast<unsigned>(batch));
    visit(call, [](auto tag) {
      OPGATE_CUDA(cudaFuncSetAttribute(prefill_kernel<typename decltype(tag)::type>,
                                       cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes));
    });
  }

  void run(const Call& call) override {
    visit(call, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const Problem<T> problem{call.in["q"].as<T>(),
                               call.in["k"].as<T>(),
                               call.in["v"].as<T>(),
                               call.out["y"].as<T>(),
                               extent(call.workload, "seq"),
                               extent(call.workload, "heads"),
                               extent(call.workload, "kv_heads"),
                               attention::kLog2e / std::sqrt(static_cast<float>(kDim))};
      prefill_kernel<T><<<blocks_, kThreads, kSharedBytes, call.stream>>>(problem);
    });
    OPGATE_LAUNCHED();
  }

 private:
  template <class Body>
  static void visit(const Call& call, Body&& body) {
    opgate::visit_types<__half, __nv_bfloat16>(call.workload.dtype, body);
  }

  dim3 blocks_;
};

OPGATE_OP(attention_prefill, AttentionPrefill)

}  // namespace
}  // namespace ops::attention_prefill
