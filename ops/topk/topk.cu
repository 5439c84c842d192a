#include <climits>
#include <cstdint>

#include <cub/block/block_radix_sort.cuh>

#include "../device_memory.hpp"
#include "../extent.hpp"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::topk {
namespace {

constexpr int kThreads = 256;
constexpr int kPerThread = 16;
constexpr int kChunk = kThreads * kPerThread;

// A row of values, and of their indices, or nullptr where these count from 0; `chunks` blocks a row, `topk` results
// each.
template <class T>
struct Problem {
  const T* values;
  const std::int32_t* indices;
  T* out_values;
  std::int32_t* out_indices;
  int columns;
  int chunks;
  int topk;
};

// Limited by sorting in shared memory, not by HBM: a block sorts a chunk of a row, stably, so that the lower index
// comes first among equal values, and keeps the first. A second launch does the same with what the first one kept.
template <class T>
__global__ void __launch_bounds__(kThreads) topk_kernel(Problem<T> p) {
  using Sort = cub::BlockRadixSort<T, kThreads, kPerThread, std::int32_t>;
  __shared__ typename Sort::TempStorage storage;
  const std::int64_t row = blockIdx.x / static_cast<unsigned>(p.chunks);
  const int chunk = static_cast<int>(blockIdx.x % static_cast<unsigned>(p.chunks));
  T values[kPerThread];
  std::int32_t indices[kPerThread];
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int column = chunk * kChunk + static_cast<int>(threadIdx.x) * kPerThread + i;
    const bool inside = column < p.columns;
    const std::int64_t at = row * p.columns + column;
    values[i] = inside ? p.values[at] : static_cast<T>(-INFINITY);
    indices[i] = !inside ? INT_MAX : p.indices == nullptr ? column : p.indices[at];
  }
  Sort(storage).SortDescending(values, indices);
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int rank = static_cast<int>(threadIdx.x) * kPerThread + i;
    if (rank >= p.topk) continue;
    const std::int64_t at = std::int64_t{blockIdx.x} * p.topk + rank;
    p.out_values[at] = values[i];
    p.out_indices[at] = indices[i];
  }
}

// The topk largest elements of each row and their indices, the lower index first among equal ones; f32, f16 and bf16.
class Topk final : public opgate::Op {
 public:
  void set_up(const opgate::Call& call) override {
    columns_ = extent(call.workload, "cols");
    topk_ = extent(call.workload, "topk");
    chunks_ = (columns_ + kChunk - 1) / kChunk;
    require(topk_ <= columns_ && std::int64_t{chunks_} * topk_ <= kChunk, call.workload,
            "topk = " + std::to_string(topk_) + " of " + std::to_string(columns_) + " columns is too much",
            "choose topk so that a chunk of 4096 holds topk of each chunk of 4096");
    const auto kept = static_cast<std::size_t>(call.workload.dim("rows")) * static_cast<std::size_t>(chunks_) *
                      static_cast<std::size_t>(topk_);
    if (chunks_ > 1) {
      values_.allocate(kept * size_of(call.workload.dtype));
      indices_.allocate(kept * sizeof(std::int32_t));
    }
  }

  void run(const opgate::Call& call) override {
    const std::int64_t rows = call.workload.dim("rows");
    opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
      using T = typename decltype(tag)::type;
      Problem<T> p{call.in["x"].as<T>(),
                   nullptr,
                   call.out["values"].as<T>(),
                   call.out["indices"].as<std::int32_t>(),
                   columns_,
                   1,
                   topk_};
      if (chunks_ > 1) {
        Problem<T> chunks = p;
        chunks.out_values = values_.as<T>();
        chunks.out_indices = indices_.as<std::int32_t>();
        chunks.chunks = chunks_;
        topk_kernel<T><<<blocks_for(rows * chunks_, 1, call.workload), kThreads, 0, call.stream>>>(chunks);
        OPGATE_LAUNCHED();
        p.values = chunks.out_values;
        p.indices = chunks.out_indices;
        p.columns = chunks_ * topk_;
      }
      topk_kernel<T><<<blocks_for(rows, 1, call.workload), kThreads, 0, call.stream>>>(p);
      OPGATE_LAUNCHED();
    });
  }

 private:
  int columns_ = 0;
  int topk_ = 0;
  int chunks_ = 0;
  DeviceMemory values_;
  DeviceMemory indices_;
};

OPGATE_OP(topk, Topk)

}  // namespace
}  // namespace ops::topk
