#include <cstdint>
#include <type_traits>

#include "decode_launch.cuh"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"
#include "tile_kernel.cuh"
#include "tile_plan.hpp"

namespace ops::gemm {
namespace {

using opgate::Call;
using opgate::DType;

template <class T>
Problem<T> problem_of(const Call& call) {
  return {call.in["a"].as<T>(),       call.in["b"].as<T>(),       call.out["c"].as<T>(),
          extent(call.workload, "m"), extent(call.workload, "n"), extent(call.workload, "k")};
}

// c = a * b^T, a[m, k], b[n, k] (as weights are stored), f16 or bf16, sums in f32.
class Gemm final : public opgate::Op {
 public:
  void set_up(const Call& call) override {
    require_tiles(call.workload, extent(call.workload, "k"));
    visit(call.workload.dtype, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const auto p = problem_of<T>(call);
      const bool is_decode = is_narrow(p.m, p.k * std::int64_t{sizeof(T)});
      launch_ = is_decode ? launch_decode(call.workload, p) : launch_tiles<T>(p);
    });
  }

  void run(const Call& call) override {
    visit(call.workload.dtype, [&](auto tag) { launch_(problem_of<typename decltype(tag)::type>(call), call.stream); });
  }

 private:
  template <class Body>
  static void visit(DType dtype, Body&& body) {
    opgate::visit_types<__half, __nv_bfloat16>(dtype, body);
  }

  template <class T>
  static Launch launch_tiles(const Problem<T>& p) {
    const int rows = ceil_div(p.m, kTileM);
    const auto of_width = [&](auto width) {
      return launch_of(tile_kernel<T, width()>, std::int64_t{rows} * ceil_div(p.n, width()), kTileThreads,
                       Tile<width()>::kSharedBytes);
    };
    const int width = tile_width(rows, p.n, multiprocessors(), {256, 128, 64});
    if (width == 64) return of_width(std::integral_constant<int, 64>{});
    return width == 128 ? of_width(std::integral_constant<int, 128>{}) : of_width(std::integral_constant<int, 256>{});
  }

  Launch launch_;
};

OPGATE_OP(gemm, Gemm)

}  // namespace
}  // namespace ops::gemm
