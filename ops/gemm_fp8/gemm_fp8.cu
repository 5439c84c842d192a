#include "../gemm/tile_plan.hpp"
#include "fp8_kernel.cuh"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::gemm_fp8 {
namespace {

using opgate::Call;

// c = scale_a scale_b a b^T: e4m3 operands with a scale each, c in bf16, sums in f32.
class GemmFp8 final : public opgate::Op {
 public:
  void set_up(const Call& call) override {
    require(call.workload.dtype == opgate::DType::f8e4m3, call.workload, "a and b are not f8e4m3",
            "remove the dtype from the spec");
    gemm::require_tiles(call.workload, extent(call.workload, "k"));
    const std::int64_t tile_rows = ceil_div(extent(call.workload, "m"), kTileM);
    const int n = extent(call.workload, "n");
    wide_ = gemm::tile_width(tile_rows, n, multiprocessors(), {128, 64}) == 128;
    blocks_ = blocks_for(tile_rows * ceil_div(n, wide_ ? 128 : 64), 1, call.workload);
    shared_bytes_ = wide_ ? Tile<128>::kSharedBytes : Tile<64>::kSharedBytes;
    OPGATE_CUDA(cudaFuncSetAttribute(wide_ ? fp8_kernel<128> : fp8_kernel<64>,
                                     cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes_));
  }

  void run(const Call& call) override {
    const Problem problem{call.in["a"].as<std::uint16_t>(),  call.in["b"].as<std::uint16_t>(),
                          call.in["scale_a"].as<float>(),    call.in["scale_b"].as<float>(),
                          call.out["c"].as<__nv_bfloat16>(), extent(call.workload, "m"),
                          extent(call.workload, "n"),        extent(call.workload, "k")};
    const auto kernel = wide_ ? fp8_kernel<128> : fp8_kernel<64>;
    kernel<<<blocks_, gemm::kTileThreads, static_cast<std::size_t>(shared_bytes_), call.stream>>>(problem);
    OPGATE_LAUNCHED();
  }

 private:
  bool wide_ = false;
  unsigned blocks_ = 0;
  int shared_bytes_ = 0;
};

OPGATE_OP(gemm_fp8, GemmFp8)

}  // namespace
}  // namespace ops::gemm_fp8
