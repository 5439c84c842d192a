#include "../cluster.cuh"
#include "../row.cuh"
#include "opgate/op.hpp"

namespace ops::log_softmax {
namespace {

constexpr int kHeld = 8;  // so that a vocabulary in 16 bits takes a cluster of 4

struct Normaliser {
  float largest;
  float sum;  // of exp(x - largest)
};

struct Merge {
  __device__ Normaliser operator()(Normaliser a, Normaliser b) const {
    const float largest = fmaxf(a.largest, b.largest);
    return {largest, a.sum * __expf(a.largest - largest) + b.sum * __expf(b.largest - largest)};
  }
};

// Limited by HBM for many rows, by the few blocks that read a row for one. A cluster of up to 8 blocks does a row, each
// a slice that it holds in registers: a vocabulary in 16 bits is read once.
template <class T, int kCount>
__global__ void __launch_bounds__(kMaxRowThreads, 2)
    log_softmax_kernel(const T* x, T* y, std::int64_t rows, int columns) {
  using V = Vector<T, kCount>;
  __shared__ float partials[2][kMaxRowWarps];
  __shared__ Normaliser slot;
  const RowSlice slice = row_slice(columns / kCount);
  if (slice.row >= rows) return;  // whole warps, that share their row with no other
  const std::int64_t base = slice.row * columns + std::int64_t{slice.first} * kCount;
  const HeldRow<T, kCount, kHeld> held(x + base, slice.vectors);
  float largest = -INFINITY;
  held.each_element([&](float value) { largest = fmaxf(largest, value); });
  largest = block_reduce(largest, partials[0], Largest{});
  float sum = 0;
  held.each_element([&](float value) { sum += __expf(value - largest); });
  sum = block_reduce(sum, partials[1], Sum{});
  // A slice may be empty; then its sum is 0, and its largest must not be -inf, whose difference to another's is.
  const Normaliser whole = cluster_reduce(Normaliser{fmaxf(largest, -3.0e38F), sum}, &slot, Merge{});
  const float shift = logf(whole.sum);
  held.each([&](int v, const V& from) {
    V result;
#pragma unroll
    for (int e = 0; e < kCount; ++e) {
      result.set(e, static_cast<T>(static_cast<float>(from.get(e)) - whole.largest - shift));
    }
    reinterpret_cast<V*>(y + base)[v] = result;
  });
}

// y = x - max(x) - log(sum(exp(x - max(x)))) over the columns; f32, f16 and bf16, sums in f32.
class LogSoftmax final : public opgate::Op {
 public:
  void run(const opgate::Call& call) override {
    const int columns = extent(call.workload, "cols");
    visit_rows<float, __half, __nv_bfloat16>(call.workload, columns, [&](auto tag, auto count) {
      using T = typename decltype(tag)::type;
      launch_clusters(log_softmax_kernel<T, count()>, plan_clusters(columns / count(), call.workload, kHeld),
                      call.stream, static_cast<const T*>(call.in["x"].as<T>()), call.out["y"].as<T>(),
                      call.workload.dim("rows"), columns);
    });
  }
};

OPGATE_OP(log_softmax, LogSoftmax)

}  // namespace
}  // namespace ops::log_softmax
