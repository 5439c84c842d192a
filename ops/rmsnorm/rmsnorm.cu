#include <cstdint>

#include "../row.cuh"
#include "../slowdown.cuh"
#include "opgate/op.hpp"

namespace ops::rmsnorm {
namespace {

using opgate::Call;

template <class T>
struct Problem {
  const T* x;
  const T* w;
  T* y;
  std::int64_t rows;
  int columns;
  float eps;
  unsigned blocks;
};

// Limited by HBM for many rows (each element is read once and written once) and by latency for a few: load, sum,
// barrier, store. A row a block, or a row a warp where rows are short: the hardware hands rows to whichever SM is
// free, and resident blocks that take rows in turn end up to 3 % apart, by where memory lies. The weights are loaded
// with the row, not after the barrier.
template <class T, int kCount>
__global__ void __launch_bounds__(kMaxRowThreads, 2) rmsnorm_kernel(Problem<T> p) {
  using V = Vector<T, kCount>;
  __shared__ float partials[kMaxRowWarps];
  const long long start = slow_start();
  const std::int64_t row = slow_block(blockIdx.x, p.blocks) * blockDim.y + threadIdx.y;
  if (row >= p.rows) return;  // whole warps, that share their row with no other
  const int vectors = p.columns / kCount;
  const HeldRow<T, kCount> x(p.x + row * p.columns, vectors);
  const HeldRow<T, kCount> w(p.w, vectors);
  float sum = 0;
  x.each_element([&](float value) { sum += value * value; });
  sum = block_reduce(sum, partials, Sum{});
  const float scale = 1.0F / sqrtf(sum / static_cast<float>(p.columns) + p.eps);
  auto* y = reinterpret_cast<V*>(p.y + row * p.columns);
  x.each_with(w, [&](int v, const V& value, const V& weight) {
    V result;
#pragma unroll
    for (int e = 0; e < kCount; ++e) {
      result.set(e, static_cast<T>(static_cast<float>(value.get(e)) * scale * static_cast<float>(weight.get(e))));
    }
    y[v] = result;
  });
  if (slow_in_place(p.blocks)) {
    stretch(start, [&](int) {
      // A partial sum once more: shared memory answers in a few dozen cycles however many warps ask, where the weights
      // of all blocks would meet in a few lines of L2.
      const volatile float* again = partials;
      keep(again[threadIdx.x / kWarpThreads], p.y);
    });
  }
}

// y = x / sqrt(mean(x^2) + eps) * w over the columns; f32, f16 and bf16, sums in f32.
class Rmsnorm final : public opgate::Op {
 public:
  void run(const Call& call) override {
    const int columns = extent(call.workload, "cols");
    visit_rows<float, __half, __nv_bfloat16>(call.workload, columns, [&](auto tag, auto count) {
      using T = typename decltype(tag)::type;
      const unsigned across = row_threads(columns / count());
      const dim3 threads(across, across == kWarpThreads ? kWarpRows : 1);
      const unsigned blocks = blocks_for(call.workload.dim("rows"), static_cast<int>(threads.y), call.workload);
      const Problem<T> p{call.in["x"].as<T>(),
                         call.in["w"].as<T>(),
                         call.out["y"].as<T>(),
                         call.workload.dim("rows"),
                         columns,
                         static_cast<float>(call.workload.param("eps")),
                         blocks};
      rmsnorm_kernel<T, count()><<<blocks + slow_extra_blocks(blocks), threads, 0, call.stream>>>(p);
    });
    OPGATE_LAUNCHED();
  }
};

OPGATE_OP(rmsnorm, Rmsnorm)

}  // namespace
}  // namespace ops::rmsnorm
