#include <cstdint>
#include <type_traits>

#include "decode_kernel.cuh"
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
      if (is_streamed(p.m, p.k * std::int64_t{sizeof(T)})) {
        plan_stream<T>(p);
      } else {
        plan_tiles<T>(p);
      }
    });
  }

  void run(const Call& call) override {
    visit(call.workload.dtype, [&](auto tag) {
      auto problem = problem_of<typename decltype(tag)::type>(call);
      void* arguments[] = {&problem};
      OPGATE_CUDA(cudaLaunchKernel(kernel_, dim3(blocks_), dim3(threads_), arguments, shared_bytes_, call.stream));
    });
  }

 private:
  template <class Body>
  static void visit(DType dtype, Body&& body) {
    opgate::visit_types<__half, __nv_bfloat16>(dtype, body);
  }

  template <class T>
  void plan_stream(const Problem<T>& p) {
    const StreamPlan plan = stream_plan(p.m, p.n, multiprocessors());
    visit_stream(p.m, plan, [&](auto rows, auto groups) {
      launch_as(decode_kernel<T, rows(), groups()>, plan.blocks, kStreamThreads, Turn<rows(), groups()>::kSharedBytes);
    });
  }

  template <class T>
  void plan_tiles(const Problem<T>& p) {
    const int rows = ceil_div(p.m, kTileM);
    const auto launch_tiles = [&](auto width) {
      const std::int64_t tiles = std::int64_t{rows} * ceil_div(p.n, width());
      launch_as(tile_kernel<T, width()>, static_cast<int>(tiles), kTileThreads, Tile<width()>::kSharedBytes);
    };
    const int width = tile_width(rows, p.n, multiprocessors(), {256, 128, 64});
    if (width == 64) {
      launch_tiles(std::integral_constant<int, 64>{});
    } else if (width == 128) {
      launch_tiles(std::integral_constant<int, 128>{});
    } else {
      launch_tiles(std::integral_constant<int, 256>{});
    }
  }

  template <class T>
  void launch_as(void (*kernel)(Problem<T>), int blocks, int threads, int shared_bytes) {
    kernel_ = reinterpret_cast<const void*>(kernel);
    blocks_ = static_cast<unsigned>(blocks);
    threads_ = static_cast<unsigned>(threads);
    shared_bytes_ = static_cast<std::size_t>(shared_bytes);
    OPGATE_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
  }

  const void* kernel_ = nullptr;
  unsigned blocks_ = 0;
  unsigned threads_ = 0;
  std::size_t shared_bytes_ = 0;
};

OPGATE_OP(gemm, Gemm)

}  // namespace
}  // namespace ops::gemm
