#include "../extent.hpp"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"
#include "topk_kernel.cuh"

namespace ops::moe_topk {
namespace {

using opgate::Call;

constexpr int kMostChosen = 32;  // one per lane

// The `topk` largest logits of each token, in falling order and the lower expert first among equal ones, and their
// softmax weights.
class MoeTopk final : public opgate::Op {
 public:
  void set_up(const Call& call) override {
    const int experts = extent(call.workload, "experts");
    const int chosen = extent(call.workload, "topk");
    require(experts <= kMostExperts, call.workload, "more than 256 experts",
            "use at most 256, or give topk_kernel an instance that holds more");
    require(chosen <= experts && chosen <= kMostChosen, call.workload, "topk exceeds the experts, or 32",
            "use a topk of at most 32 and at most the number of experts");
    blocks_ = blocks_for(extent(call.workload, "tokens"), kWarps, call.workload);
  }

  void run(const Call& call) override {
    opgate::visit_types<float, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const Problem<T> problem{call.in["logits"].as<T>(),
                               call.out["weights"].as<float>(),
                               call.out["indices"].as<int>(),
                               extent(call.workload, "tokens"),
                               extent(call.workload, "experts"),
                               extent(call.workload, "topk"),
                               call.workload.param("renormalise") != 0};
      const auto kernel = problem.experts <= 32 ? topk_kernel<T, 1> : topk_kernel<T, kMostExperts / 32>;
      kernel<<<blocks_, kWarps * 32, 0, call.stream>>>(problem);
    });
    OPGATE_LAUNCHED();
  }

 private:
  unsigned blocks_ = 0;
};

OPGATE_OP(moe_topk, MoeTopk)

}  // namespace
}  // namespace ops::moe_topk
