#include <type_traits>

#include "../gemm/tile_kernel.cuh"
#include "../gemm/tile_plan.hpp"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"
#include "short_kernel.cuh"

namespace ops::batched_gemm {
namespace {

using gemm::kTileM;
using gemm::Problem;
using gemm::Tile;
using opgate::Call;

// Limited by the tensor cores, as gemm is.
template <class T, int kTileN>
__global__ void __launch_bounds__(gemm::kTileThreads, 1) batched_kernel(Problem<T> p) {
  to_batch(p, blockIdx.y);
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
    short_ = {};
    if (extent(call.workload, "k") <= kShortK) {
      short_ = short_plan(batch, m, n, multiprocessors());
      blocks_ = dim3(static_cast<unsigned>(gemm::ceil_div(m, short_.rows)),
                     static_cast<unsigned>(gemm::ceil_div(gemm::ceil_div(n, kShortTileN), short_.tiles)),
                     static_cast<unsigned>(batch));
      visit_short(call, [&](auto tag, auto rows) {
        shared_bytes_ = ShortTile<rows()>::kSharedBytes;
        allow_shared(short_kernel<typename decltype(tag)::type, rows()>);
      });
      return;
    }
    const std::int64_t tile_rows = gemm::ceil_div(m, kTileM);
    wide_ = gemm::tile_width(tile_rows * batch, n, multiprocessors(), {128, 64}) == 128;
    blocks_ = dim3(blocks_for(tile_rows * gemm::ceil_div(n, wide_ ? 128 : 64), 1, call.workload),
                   static_cast<unsigned>(batch));
    shared_bytes_ = wide_ ? Tile<128>::kSharedBytes : Tile<64>::kSharedBytes;
    visit(call, [&](auto tag) { allow_shared(kernel_of<typename decltype(tag)::type>()); });
  }

  void run(const Call& call) override {
    const auto shared_bytes = static_cast<std::size_t>(shared_bytes_);
    if (short_.tiles > 0) {
      visit_short(call, [&](auto tag, auto rows) {
        using T = typename decltype(tag)::type;
        short_kernel<T, rows()>
            <<<blocks_, ShortTile<rows()>::kThreads, shared_bytes, call.stream>>>(problem_of<T>(call), short_.tiles);
      });
    } else {
      visit(call, [&](auto tag) {
        using T = typename decltype(tag)::type;
        kernel_of<T>()<<<blocks_, gemm::kTileThreads, shared_bytes, call.stream>>>(problem_of<T>(call));
      });
    }
    OPGATE_LAUNCHED();
  }

 private:
  static constexpr int kMostBatches = 65535;  // of a grid in y or z

  template <class Body>
  static void visit(const Call& call, Body&& body) {
    opgate::visit_types<__half, __nv_bfloat16>(call.workload.dtype, body);
  }

  // `body(tag, rows)`: the type, and a constant of the plan.
  template <class Body>
  void visit_short(const Call& call, Body&& body) const {
    visit(call, [&](auto tag) {
      if (short_.rows == 128) return body(tag, std::integral_constant<int, 128>{});
      return body(tag, std::integral_constant<int, 256>{});
    });
  }

  template <class T>
  static Problem<T> problem_of(const Call& call) {
    return {call.in["a"].as<T>(),       call.in["b"].as<T>(),       call.out["c"].as<T>(),
            extent(call.workload, "m"), extent(call.workload, "n"), extent(call.workload, "k")};
  }

  template <class T>
  auto kernel_of() const -> void (*)(Problem<T>) {
    return wide_ ? batched_kernel<T, 128> : batched_kernel<T, 64>;
  }

  template <class Kernel>
  void allow_shared(Kernel* kernel) const {
    OPGATE_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes_));
  }

  ShortPlan short_{};  // for k <= kShortK
  bool wide_ = false;
  dim3 blocks_;
  int shared_bytes_ = 0;
};

OPGATE_OP(batched_gemm, BatchedGemm)

}  // namespace
}  // namespace ops::batched_gemm
