#include <algorithm>
#include <cstdint>

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
    multiprocessors_ = multiprocessors();
    visit(call.workload.dtype, [&](auto tag) { plan<typename decltype(tag)::type>(call); });
  }

  void run(const Call& call) override {
    visit(call.workload.dtype, [&](auto tag) {
      using T = typename decltype(tag)::type;
      (is_decode_ ? decode_of<T>()
                  : tile_of<T>())<<<blocks_, threads_, shared_bytes_, call.stream>>>(problem_of<T>(call));
    });
    OPGATE_LAUNCHED();
  }

 private:
  template <class T>
  using Kernel = void (*)(Problem<T>);

  template <class Body>
  static void visit(DType dtype, Body&& body) {
    opgate::visit_types<__half, __nv_bfloat16>(dtype, body);
  }

  template <class T>
  Kernel<T> decode_of() const {
    if (few_rows_) return width_ == 8 ? decode_kernel<T, 8, 1> : decode_kernel<T, 8, 2>;
    return width_ == 16 ? decode_kernel<T, 16, 2> : decode_kernel<T, 16, 4>;
  }

  template <class T>
  Kernel<T> tile_of() const {
    if (width_ == 64) return tile_kernel<T, 64>;
    return width_ == 128 ? tile_kernel<T, 128> : tile_kernel<T, 256>;
  }

  template <class T>
  void plan(const Call& call) {
    const auto p = problem_of<T>(call);
    is_decode_ = p.m <= kDecodeMaxRows;
    if (is_decode_) {
      plan_decode<T>(p);
    } else {
      plan_tiles<T>(p);
    }
  }

  template <class T>
  void plan_decode(const Problem<T>& p) {
    few_rows_ = p.m <= 8;
    // Wider strips read the activations less often, narrower ones give every SM work.
    const int wide = few_rows_ ? 16 : 32;
    width_ = ceil_div(p.n, wide) * 2 >= multiprocessors_ * 3 ? wide : wide / 2;
    threads_ = kDecodeWarps * 32;
    int resident = 0;
    OPGATE_CUDA(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, decode_of<T>(), static_cast<int>(threads_), 0));
    const int strips = ceil_div(p.n, width_);
    const int rounds = ceil_div(strips, std::max(1, resident * multiprocessors_));
    blocks_ = static_cast<unsigned>(ceil_div(strips, rounds));
  }

  template <class T>
  void plan_tiles(const Problem<T>& p) {
    width_ = tile_width(ceil_div(p.m, kTileM), p.n, multiprocessors_, {256, 128, 64});
    threads_ = kTileThreads;
    shared_bytes_ = static_cast<std::size_t>(width_ == 64    ? Tile<64>::kSharedBytes
                                             : width_ == 128 ? Tile<128>::kSharedBytes
                                                             : Tile<256>::kSharedBytes);
    OPGATE_CUDA(cudaFuncSetAttribute(tile_of<T>(), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(shared_bytes_)));
    blocks_ = static_cast<unsigned>(ceil_div(p.m, kTileM)) * static_cast<unsigned>(ceil_div(p.n, width_));
  }

  int multiprocessors_ = 0;
  bool is_decode_ = false;
  bool few_rows_ = false;  // m <= 8
  int width_ = 0;          // columns of c per block
  unsigned blocks_ = 0;
  unsigned threads_ = 0;
  std::size_t shared_bytes_ = 0;
};

OPGATE_OP(gemm, Gemm)

}  // namespace
}  // namespace ops::gemm
