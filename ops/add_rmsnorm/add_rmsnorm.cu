#include "../row.cuh"
#include "opgate/op.hpp"

namespace ops::add_rmsnorm {
namespace {

template <class T>
struct Problem {
  const T* x;
  const T* residual;
  const T* w;
  T* sum;
  T* y;
  int columns;
  float eps;
};

// Limited by HBM: two rows are read and two are written once. The norm is that of the rounded sum, which is what the
// next layer adds to. Rows of more than kMaxRowThreads * kHeldVectors vectors are read twice.
template <class T, int kCount>
__global__ void __launch_bounds__(kMaxRowThreads, 2) add_rmsnorm_kernel(Problem<T> p) {
  using V = Vector<T, kCount>;
  __shared__ float partials[kMaxRowWarps];
  const std::int64_t base = std::int64_t{blockIdx.x} * p.columns;
  const int vectors = p.columns / kCount;
  const int step = static_cast<int>(blockDim.x);
  const auto* x = reinterpret_cast<const V*>(p.x + base);
  const auto* residual = reinterpret_cast<const V*>(p.residual + base);
  auto* out_sum = reinterpret_cast<V*>(p.sum + base);
  float squares = 0;
  const auto add = [&](const V& a, const V& b) {
    V sum;
#pragma unroll
    for (int e = 0; e < kCount; ++e) {
      sum.set(e, static_cast<T>(static_cast<float>(a.get(e)) + static_cast<float>(b.get(e))));
      const auto rounded = static_cast<float>(sum.get(e));
      squares += rounded * rounded;
    }
    return sum;
  };
  const int first = static_cast<int>(threadIdx.x);
  V held[kHeldVectors];
  V other[kHeldVectors];
#pragma unroll
  for (int i = 0; i < kHeldVectors; ++i) {
    if (const int v = first + i * step; v < vectors) {
      held[i] = x[v];
      other[i] = residual[v];
    }
  }
#pragma unroll
  for (int i = 0; i < kHeldVectors; ++i) {
    if (const int v = first + i * step; v < vectors) {
      held[i] = add(held[i], other[i]);
      out_sum[v] = held[i];
    }
  }
  for (int v = first + kHeldVectors * step; v < vectors; v += step) out_sum[v] = add(x[v], residual[v]);
  squares = block_reduce(squares, partials, Sum{});
  const float scale = 1.0F / sqrtf(squares / static_cast<float>(p.columns) + p.eps);
  const auto write = [&](int v, const V& sum) {
    const V weight = reinterpret_cast<const V*>(p.w)[v];
    V result;
#pragma unroll
    for (int e = 0; e < kCount; ++e) {
      result.set(e, static_cast<T>(static_cast<float>(sum.get(e)) * scale * static_cast<float>(weight.get(e))));
    }
    reinterpret_cast<V*>(p.y + base)[v] = result;
  };
#pragma unroll
  for (int i = 0; i < kHeldVectors; ++i) {
    if (const int v = first + i * step; v < vectors) write(v, held[i]);
  }
  // A thread reads what it wrote itself.
  for (int v = first + kHeldVectors * step; v < vectors; v += step) write(v, out_sum[v]);
}

// sum = x + residual, y = sum / sqrt(mean(sum^2) + eps) * w; f32, f16 and bf16, sums in f32.
class AddRmsnorm final : public opgate::Op {
 public:
  void run(const opgate::Call& call) override {
    const int columns = extent(call.workload, "cols");
    const unsigned rows = blocks_for(call.workload.dim("rows"), 1, call.workload);
    visit_rows<float, __half, __nv_bfloat16>(call.workload, columns, [&](auto tag, auto count) {
      using T = typename decltype(tag)::type;
      const Problem<T> p{call.in["x"].as<T>(),
                         call.in["residual"].as<T>(),
                         call.in["w"].as<T>(),
                         call.out["sum"].as<T>(),
                         call.out["y"].as<T>(),
                         columns,
                         static_cast<float>(call.workload.param("eps"))};
      add_rmsnorm_kernel<T, count()><<<rows, row_threads(columns / count()), 0, call.stream>>>(p);
    });
    OPGATE_LAUNCHED();
  }
};

OPGATE_OP(add_rmsnorm, AddRmsnorm)

}  // namespace
}  // namespace ops::add_rmsnorm
