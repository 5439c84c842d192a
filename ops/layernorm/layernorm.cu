#include "../row.cuh"
#include "opgate/op.hpp"

namespace ops::layernorm {
namespace {

// Of 4, 6, 8 and 12, many rows of 12,288 are fastest with blocks of this size; a few rows want more threads instead.
constexpr int kHeld = 6;

template <class T>
struct Problem {
  const T* x;
  const T* w;
  const T* b;
  T* y;
  int columns;
  float eps;
};

// Limited by HBM for many rows and by two reductions for a few. The variance is taken about the mean, from registers:
// the difference of two large sums would lose the digits.
template <class T, int kCount>
__global__ void __launch_bounds__(kMaxRowThreads, 2) layernorm_kernel(Problem<T> p) {
  using V = Vector<T, kCount>;
  __shared__ float partials[2][kMaxRowWarps];
  const std::int64_t base = std::int64_t{blockIdx.x} * p.columns;
  const HeldRow<T, kCount, kHeld> row(p.x + base, p.columns / kCount);
  float sum = 0;
  row.each_element([&](float value) { sum += value; });
  const float mean = block_reduce(sum, partials[0], Sum{}) / static_cast<float>(p.columns);
  float squares = 0;
  row.each_element([&](float value) { squares += (value - mean) * (value - mean); });
  squares = block_reduce(squares, partials[1], Sum{});
  const float scale = 1.0F / sqrtf(squares / static_cast<float>(p.columns) + p.eps);
  row.each([&](int v, const V& x) {
    const V weight = reinterpret_cast<const V*>(p.w)[v];
    const V bias = reinterpret_cast<const V*>(p.b)[v];
    V result;
#pragma unroll
    for (int e = 0; e < kCount; ++e) {
      const float normal = (static_cast<float>(x.get(e)) - mean) * scale;
      result.set(e, static_cast<T>(normal * static_cast<float>(weight.get(e)) + static_cast<float>(bias.get(e))));
    }
    reinterpret_cast<V*>(p.y + base)[v] = result;
  });
}

// y = (x - mean) / sqrt(var + eps) * w + b over the columns; f32, f16 and bf16, sums in f32.
class Layernorm final : public opgate::Op {
 public:
  void run(const opgate::Call& call) override {
    const int columns = extent(call.workload, "cols");
    const unsigned rows = blocks_for(call.workload.dim("rows"), 1, call.workload);
    visit_rows<float, __half, __nv_bfloat16>(call.workload, columns, [&](auto tag, auto count) {
      using T = typename decltype(tag)::type;
      const Problem<T> p{call.in["x"].as<T>(),
                         call.in["w"].as<T>(),
                         call.in["b"].as<T>(),
                         call.out["y"].as<T>(),
                         columns,
                         static_cast<float>(call.workload.param("eps"))};
      const unsigned threads = row_threads(columns / count(), rows < kManyRows ? kHeldVectors : kHeld);
      layernorm_kernel<T, count()><<<rows, threads, 0, call.stream>>>(p);
    });
    OPGATE_LAUNCHED();
  }
};

OPGATE_OP(layernorm, Layernorm)

}  // namespace
}  // namespace ops::layernorm
