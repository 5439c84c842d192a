#include "../extent.hpp"
#include "norm_kernel.cuh"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::qk_norm {
namespace {

using opgate::Call;

// The rmsnorm of q and that of k at the same time: k's runs in a stream of its own, forked off the call's and joined to
// it again by events.
class QkNorm final : public opgate::Op {
 public:
  ~QkNorm() override {
    // A destructor cannot report; whatever broke the context has been reported by the call that did.
    if (fork_ != nullptr) static_cast<void>(cudaEventDestroy(fork_));
    if (join_ != nullptr) static_cast<void>(cudaEventDestroy(join_));
    if (side_ != nullptr) static_cast<void>(cudaStreamDestroy(side_));
  }

  void set_up(const Call& call) override {
    visit(call, [&](auto tag) {
      using T = typename decltype(tag)::type;
      for (const char* columns : {"q_cols", "k_cols"}) {
        const int count = extent(call.workload, columns);
        require(count % kFullVector<T> == 0 && count / kFullVector<T> <= kHeld * 2 * kHalfWarp, call.workload,
                std::string(columns) + " is no multiple of 16 bytes, or more than 4 KiB",
                "use up to 2048 columns in multiples of 8");
      }
    });
    OPGATE_CUDA(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
    OPGATE_CUDA(cudaEventCreateWithFlags(&join_, cudaEventDisableTiming));
    OPGATE_CUDA(cudaStreamCreate(&side_));
  }

  void run(const Call& call) override {
    OPGATE_CUDA(cudaEventRecord(fork_, call.stream));
    OPGATE_CUDA(cudaStreamWaitEvent(side_, fork_, 0));
    normalise(call, "k", "k_weight", "k_out", side_);
    normalise(call, "q", "q_weight", "q_out", call.stream);
    OPGATE_CUDA(cudaEventRecord(join_, side_));
    OPGATE_CUDA(cudaStreamWaitEvent(call.stream, join_, 0));
  }

 private:
  template <class Body>
  static void visit(const Call& call, Body&& body) {
    opgate::visit_types<__nv_bfloat16>(call.workload.dtype, body);
  }

  template <class T, int kLanes, int kHeldHere>
  static void launch(const Call& call, const Problem<T>& problem, cudaStream_t stream) {
    norm_kernel<T, kLanes, kHeldHere>
        <<<blocks_for(problem.rows, kThreads / kLanes, call.workload), kThreads, 0, stream>>>(problem);
  }

  static void normalise(const Call& call, const char* in, const char* weight, const char* out, cudaStream_t stream) {
    visit(call, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const opgate::Tensor& x = call.in[in];
      const Problem<T> problem{
          x.as<T>(),   call.in[weight].as<T>(),       call.out[out].as<T>(),
          x.extent(0), static_cast<int>(x.extent(1)), static_cast<float>(call.workload.param("eps"))};
      if (problem.columns / kFullVector<T> <= kHalfWarp) {
        launch<T, kHalfWarp, 1>(call, problem, stream);
      } else {
        launch<T, 2 * kHalfWarp, kHeld>(call, problem, stream);
      }
    });
    OPGATE_LAUNCHED();
  }

  cudaStream_t side_ = nullptr;
  cudaEvent_t fork_ = nullptr;
  cudaEvent_t join_ = nullptr;
};

OPGATE_OP(qk_norm, QkNorm)

}  // namespace
}  // namespace ops::qk_norm
