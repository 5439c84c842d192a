#include "../gemm/tile_kernel.cuh"
#include "../gemm/tile_plan.hpp"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::batched_gemm {
namespace {

using gemm::kTileM;
using gemm::Problem;
using gemm::Tile;
using opgate::Call;

// Limited by HBM where k is short (c is written once and weighs more than a and b) and by the tensor cores as gemm is
// elsewhere. One block per SM: with two steps of k there is little to hide a tile's first loads behind.
template <class T, int kTileN>
__global__ void __launch_bounds__(gemm::kTileThreads, 1) batched_kernel(Problem<T> p) {
  const std::int64_t batch = blockIdx.y;
  p.a += batch * p.m * p.k;
  p.b += batch * p.n * p.k;
  p.c += batch * p.m * p.n;
  gemm::compute_tile<T, kTileN>(p, static_cast<int>(blockIdx.x));
}

// c[i] = a[i] * b[i]^T for every i of the batch, sums in f32.
class BatchedGemm final : public opgate::Op {
 public:
  void set_up(const Call& call) override {
    gemm::require_tiles(call.workload, extent(call.workload, "k"));
    const int batch = extent(call.workload, "batch");
    require(batch <= kMostBatches, call.workload, "more than 65535 matrices", "split the batch");
    const int m = extent(call.workload, "m");
    const int n = extent(call.workload, "n");
    const std::int64_t tile_rows = gemm::ceil_div(m, kTileM);
    wide_ = gemm::tile_width(tile_rows * batch, n, multiprocessors(), {128, 64}) == 128;
    blocks_ = dim3(blocks_for(tile_rows * gemm::ceil_div(n, wide_ ? 128 : 64), 1, call.workload),
                   static_cast<unsigned>(batch));
    shared_bytes_ = wide_ ? Tile<128>::kSharedBytes : Tile<64>::kSharedBytes;
    visit(call, [&](auto tag) {
      OPGATE_CUDA(cudaFuncSetAttribute(kernel_of<typename decltype(tag)::type>(),
                                       cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes_));
    });
  }

  void run(const Call& call) override {
    visit(call, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const Problem<T> problem{call.in["a"].as<T>(),       call.in["b"].as<T>(),       call.out["c"].as<T>(),
                               extent(call.workload, "m"), extent(call.workload, "n"), extent(call.workload, "k")};
      kernel_of<T>()<<<blocks_, gemm::kTileThreads, static_cast<std::size_t>(shared_bytes_), call.stream>>>(problem);
    });
    OPGATE_LAUNCHED();
  }

 private:
  static constexpr int kMostBatches = 65535;  // of a grid in y

  template <class Body>
  static void visit(const Call& call, Body&& body) {
    opgate::visit_types<__half, __nv_bfloat16>(call.workload.dtype, body);
  }

  template <class T>
  auto kernel_of() const -> void (*)(Problem<T>) {
    return wide_ ? batched_kernel<T, 128> : batched_kernel<T, 64>;
  }

  bool wide_ = false;
  dim3 blocks_;
  int shared_bytes_ = 0;
};

OPGATE_OP(batched_gemm, BatchedGemm)

}  // namespace
}  // namespace ops::batched_gemm
