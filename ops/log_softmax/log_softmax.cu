#include "../cluster.cuh"
#include "../row.cuh"
#include "normaliser.cuh"
#include "opgate/op.hpp"
#include "staged_kernel.cuh"

namespace ops::log_softmax {
namespace {

constexpr int kHeld = 8;  // so that a vocabulary in 16 bits takes a cluster of 4

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
  // A slice may be empty; then its sum is 0.
  const Normaliser whole = cluster_reduce(Normaliser{fmaxf(largest, kLeastLargest), sum}, &slot, Merge{});
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
  void set_up(const opgate::Call& call) override {
    columns_ = extent(call.workload, "cols");
    visit_staged(call.workload, [&](auto tag, auto held) {
      const auto kernel = log_softmax_staged_kernel<typename decltype(tag)::type, held()>;
      const std::int64_t clusters =
          std::min<std::int64_t>(call.workload.dim("rows"), resident_clusters(kernel, staged_plan(call.workload, 1)));
      staged_ = staged_plan(call.workload, clusters);
    });
  }

  void run(const opgate::Call& call) override {
    const std::int64_t rows = call.workload.dim("rows");
    if (staged_.blocks > 0) {
      visit_staged(call.workload, [&](auto tag, auto held) {
        using T = typename decltype(tag)::type;
        const T* x = call.in["x"].as<T>();
        require(bulk_aligned(x), call.workload, "x starts at no multiple of 16 bytes", "align it to 16 bytes");
        launch_clusters(log_softmax_staged_kernel<T, held()>, staged_, call.stream, x, call.out["y"].as<T>(),
                        static_cast<int>(rows), columns_);
      });
      return;
    }
    visit_rows<float, __half, __nv_bfloat16>(call.workload, columns_, [&](auto tag, auto count) {
      using T = typename decltype(tag)::type;
      launch_clusters(log_softmax_kernel<T, count()>, plan_clusters(columns_ / count(), call.workload, kHeld),
                      call.stream, static_cast<const T*>(call.in["x"].as<T>()), call.out["y"].as<T>(), rows, columns_);
    });
  }

 private:
  // body(TypeTag<T>, vectors that a thread holds), or nothing where rows are not staged
  template <class Body>
  void visit_staged(const opgate::Workload& workload, Body&& body) const {
    opgate::visit_types<float, __half, __nv_bfloat16>(workload.dtype, [&](auto tag) {
      const std::optional<int> held =
          staged_held(workload.dim("rows"), columns_, static_cast<int>(sizeof(typename decltype(tag)::type)));
      if (held == kStagedFewHeld) body(tag, std::integral_constant<int, kStagedFewHeld>{});
      if (held == kStagedMostHeld) body(tag, std::integral_constant<int, kStagedMostHeld>{});
    });
  }

  [[nodiscard]] ClusterPlan staged_plan(const opgate::Workload& workload, std::int64_t clusters) const {
    return {kStagedCluster, static_cast<unsigned>(clusters * kStagedCluster), dim3(kStagedThreads),
            staged_bytes(columns_, static_cast<int>(opgate::size_of(workload.dtype)))};
  }

  int columns_ = 0;
  ClusterPlan staged_{};  // without blocks where rows are not staged
};

OPGATE_OP(log_softmax, LogSoftmax)

}  // namespace
}  // namespace ops::log_softmax
