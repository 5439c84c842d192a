#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "../block_reduce.cuh"
#include "../vector.cuh"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::softmax {
namespace {

using opgate::Call;
using opgate::Error;
using opgate::ErrorKind;

constexpr int kHeld = 4;  // vectors of a row that a thread keeps in registers, so that most rows are read once
constexpr int kMaxThreads = 512;

template <class V>
__device__ float largest_of(const V& v, int count, float so_far) {
#pragma unroll
  for (int i = 0; i < count; ++i) so_far = fmaxf(so_far, static_cast<float>(v.get(i)));
  return so_far;
}

// Limited by HBM: one block a row, which it reads once (rows of up to kMaxThreads * kHeld vectors; the rest of a longer
// one is read three times) and writes once. kCount = 1 serves columns that are no multiple of 16 bytes.
template <class T, int kCount>
__global__ void __launch_bounds__(kMaxThreads, 2) softmax_kernel(const T* x, T* y, int columns) {
  using V = Vector<T, kCount>;
  __shared__ float partials[2][kMaxThreads / kWarpThreads];
  const int vectors = columns / kCount;
  const int first = static_cast<int>(threadIdx.x);
  const int step = static_cast<int>(blockDim.x);
  const auto* in = reinterpret_cast<const V*>(x + std::int64_t{blockIdx.x} * columns);
  auto* out = reinterpret_cast<V*>(y + std::int64_t{blockIdx.x} * columns);
  V held[kHeld];
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    if (first + i * step < vectors) held[i] = in[first + i * step];
  }
  float largest = -INFINITY;
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    if (first + i * step < vectors) largest = largest_of(held[i], kCount, largest);
  }
  for (int v = first + kHeld * step; v < vectors; v += step) largest = largest_of(in[v], kCount, largest);
  largest = block_reduce(largest, partials[0], Largest{});
  float sum = 0;
  const auto add = [&](const V& v) {
#pragma unroll
    for (int i = 0; i < kCount; ++i) sum += __expf(static_cast<float>(v.get(i)) - largest);
  };
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    if (first + i * step < vectors) add(held[i]);
  }
  for (int v = first + kHeld * step; v < vectors; v += step) add(in[v]);
  const float scale = 1.0F / block_reduce(sum, partials[1], Sum{});
  const auto write = [&](int v, const V& from) {
    V result;
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      result.set(i, static_cast<T>(__expf(static_cast<float>(from.get(i)) - largest) * scale));
    }
    out[v] = result;
  };
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    if (first + i * step < vectors) write(first + i * step, held[i]);
  }
  for (int v = first + kHeld * step; v < vectors; v += step) write(v, in[v]);
}

// y = exp(x - max(x)) / sum(exp(x - max(x))) over the columns; f32, f16 and bf16, sums in f32.
class Softmax final : public opgate::Op {
 public:
  void run(const Call& call) override {
    const std::int64_t rows = call.workload.dim("rows");
    const std::int64_t columns = call.workload.dim("cols");
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max() / 2;
    if (rows < 1 || columns < 1 || rows > kMost || columns > kMost) {
      throw Error(ErrorKind::op, "softmax: rows or cols out of range", call.workload.case_name(),
                  "use 1 to 2^30 rows and columns");
    }
    opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const bool aligned = columns % kFullVector<T> == 0;
      const std::int64_t vectors = aligned ? columns / kFullVector<T> : columns;
      const std::int64_t wanted = (vectors + kHeld - 1) / kHeld;
      const auto threads = static_cast<unsigned>(std::clamp<std::int64_t>(
          (wanted + kWarpThreads - 1) / kWarpThreads * kWarpThreads, kWarpThreads, kMaxThreads));
      const auto kernel = aligned ? softmax_kernel<T, kFullVector<T>> : softmax_kernel<T, 1>;
      kernel<<<static_cast<unsigned>(rows), threads, 0, call.stream>>>(call.in["x"].as<T>(), call.out["y"].as<T>(),
                                                                       static_cast<int>(columns));
    });
    OPGATE_LAUNCHED();
  }
};

OPGATE_OP(softmax, Softmax)

}  // namespace
}  // namespace ops::softmax
