#include "../gemm/decode_launch.cuh"
#include "decode_kernel.cuh"
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
    const int m = extent(call.workload, "m");
    const int n = extent(call.workload, "n");
    const int k = extent(call.workload, "k");
    if (gemm::is_narrow(m, k)) {
      gemm::require_bulk(call.workload, call.in["a"].as<void>(), call.in["b"].as<void>());
      launch_ = gemm::launch_few_rows(
          m, n, k, [](auto rows, auto groups) { return decode_kernel<rows(), groups()>; },
          [](auto width, auto strips) { return narrow_kernel<width(), strips()>; });
      return;
    }
    const std::int64_t tile_rows = ceil_div(m, kTileM);
    const bool is_wide = gemm::tile_width(tile_rows, n, multiprocessors(), {128, 64}) == 128;
    launch_ = gemm::launch_of(is_wide ? fp8_kernel<128> : fp8_kernel<64>,
                              blocks_for(tile_rows * ceil_div(n, is_wide ? 128 : 64), 1, call.workload),
                              gemm::kTileThreads, is_wide ? Tile<128>::kSharedBytes : Tile<64>::kSharedBytes);
  }

  void run(const Call& call) override {
    const Problem problem{call.in["a"].as<std::uint16_t>(),  call.in["b"].as<std::uint16_t>(),
                          call.in["scale_a"].as<float>(),    call.in["scale_b"].as<float>(),
                          call.out["c"].as<__nv_bfloat16>(), extent(call.workload, "m"),
                          extent(call.workload, "n"),        extent(call.workload, "k")};
    launch_(problem, call.stream);
  }

 private:
  gemm::Launch launch_;
};

OPGATE_OP(gemm_fp8, GemmFp8)

}  // namespace
}  // namespace ops::gemm_fp8
