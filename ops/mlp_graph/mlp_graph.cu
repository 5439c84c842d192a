#include <cstdint>
#include <string>

#include "../device_memory.hpp"
#include "../gemm/decode_launch.cuh"
#include "../gemm/tile_kernel.cuh"
#include "../gemm/tile_plan.hpp"
#include "../vector.cuh"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::mlp_graph {
namespace {

using gemm::Problem;
using opgate::Call;
using T = __nv_bfloat16;

constexpr int kSiluThreads = 256;

// Limited by latency: for a few tokens it moves what the L2 holds. One vector of 16 bytes per thread.
__global__ void __launch_bounds__(kSiluThreads) silu_mul_kernel(const T* gate_up, T* out, int tokens, int inter) {
  using V = Vector<T, kFullVector<T>>;
  const std::int64_t vectors = inter / kFullVector<T>;
  const std::int64_t index = std::int64_t{blockIdx.x} * kSiluThreads + threadIdx.x;
  if (index >= tokens * vectors) return;
  const std::int64_t token = index / vectors;
  const auto* gates = reinterpret_cast<const V*>(gate_up + token * 2 * inter);
  const V gate = gates[index % vectors];
  const V up = gates[vectors + index % vectors];
  V result;
#pragma unroll
  for (int i = 0; i < kFullVector<T>; ++i) {
    const auto g = static_cast<float>(gate.get(i));
    result.set(i, static_cast<T>(g / (1.0F + expf(-g)) * static_cast<float>(up.get(i))));
  }
  reinterpret_cast<V*>(out)[index] = result;
}

// y = (silu(x gate^T) * (x up^T)) down^T, three kernels that set_up captures and run replays as one graph: a decode
// step's host cost is what graphs are for. Each kernel is limited as it is in gemm.
class MlpGraph final : public opgate::Op {
 public:
  ~MlpGraph() override {
    // A destructor cannot report; whatever broke the context has been reported by the call that did.
    if (executable_ != nullptr) static_cast<void>(cudaGraphExecDestroy(executable_));
    if (graph_ != nullptr) static_cast<void>(cudaGraphDestroy(graph_));
    if (capture_ != nullptr) static_cast<void>(cudaStreamDestroy(capture_));
  }

  void set_up(const Call& call) override {
    const int tokens = extent(call.workload, "tokens");
    const int hidden = extent(call.workload, "hidden");
    const int inter = extent(call.workload, "inter");
    require(inter <= kMostInter, call.workload, "inter = " + std::to_string(inter) + " is too large",
            "use at most 2^29: gate and up lie in one matrix");
    gemm::require_tiles(call.workload, hidden);
    gemm::require_tiles(call.workload, inter);
    const auto elements = static_cast<std::size_t>(tokens) * static_cast<std::size_t>(inter);
    gate_up_.allocate(2 * elements * sizeof(T));
    hidden_.allocate(elements * sizeof(T));
    x_ = call.in["x"].as<T>();
    y_ = call.out["y"].as<T>();
    const Problem<T> up{x_, call.in["gate_up"].as<T>(), gate_up_.as<T>(), tokens, 2 * inter, hidden};
    const Problem<T> down{hidden_.as<T>(), call.in["down"].as<T>(), y_, tokens, hidden, inter};
    const gemm::Launch first = launch_for(call, up);
    const gemm::Launch second = launch_for(call, down);
    OPGATE_CUDA(cudaStreamCreateWithFlags(&capture_, cudaStreamNonBlocking));
    OPGATE_CUDA(cudaStreamBeginCapture(capture_, cudaStreamCaptureModeThreadLocal));
    first(up, capture_);
    silu_mul_kernel<<<blocks_for(std::int64_t{tokens} * inter / kFullVector<T>, kSiluThreads, call.workload),
                      kSiluThreads, 0, capture_>>>(gate_up_.as<T>(), hidden_.as<T>(), tokens, inter);
    OPGATE_LAUNCHED();
    second(down, capture_);
    OPGATE_CUDA(cudaStreamEndCapture(capture_, &graph_));
    OPGATE_CUDA(cudaGraphInstantiate(&executable_, graph_, 0));
  }

  void run(const Call& call) override {
    require(call.in["x"].data == x_ && call.out["y"].data == y_, call.workload,
            "the tensors are not those that the graph was captured with", "call set_up again with the new tensors");
    OPGATE_CUDA(cudaGraphLaunch(executable_, call.stream));
  }

 private:
  static gemm::Launch launch_for(const Call& call, const Problem<T>& p) {
    if (gemm::is_narrow(p.m, p.k * std::int64_t{sizeof(T)})) return gemm::launch_decode(call.workload, p);
    return gemm::launch_of(gemm::tile_kernel<T, 128>,
                           std::int64_t{gemm::ceil_div(p.m, gemm::kTileM)} * gemm::ceil_div(p.n, 128),
                           gemm::kTileThreads, gemm::Tile<128>::kSharedBytes);
  }

  static constexpr int kMostInter = 1 << 29;  // a tile added to twice as much is still an int

  const T* x_ = nullptr;
  T* y_ = nullptr;
  DeviceMemory gate_up_;  // [tokens, 2 inter]
  DeviceMemory hidden_;   // [tokens, inter]
  cudaStream_t capture_ = nullptr;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

OPGATE_OP(mlp_graph, MlpGraph)

}  // namespace
}  // namespace ops::mlp_graph
