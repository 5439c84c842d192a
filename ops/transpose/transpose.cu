#include <cstdint>

#include "../extent.hpp"
#include "../vector.cuh"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::transpose {
namespace {

constexpr int kThreads = 256;
constexpr int kTile = 64;
// An odd stride, so that the columns a warp writes lie in different banks.
constexpr int kStride = kTile + 1;

// Limited by HBM: a tile is read and written in rows of 16-byte vectors and turned in shared memory, element by
// element. kCount = 1 serves extents that are no multiple of 16 bytes.
template <class T, int kCount>
__global__ void __launch_bounds__(kThreads)
    transpose_kernel(const T* x, T* y, int rows, int columns, int tiles_across) {
  using V = Vector<T, kCount>;
  constexpr int kVectors = kTile / kCount;  // across a tile
  constexpr int kStep = kThreads / kVectors;
  __shared__ T turned[kTile][kStride];
  const int row0 = static_cast<int>(blockIdx.x) / tiles_across * kTile;
  const int column0 = static_cast<int>(blockIdx.x) % tiles_across * kTile;
  const int vector = static_cast<int>(threadIdx.x) % kVectors * kCount;
  const int line = static_cast<int>(threadIdx.x) / kVectors;
  V held[kTile / kStep];
#pragma unroll
  for (int i = 0; i < kTile / kStep; ++i) {
    const int row = row0 + line + i * kStep;
    if (row >= rows || column0 + vector >= columns) continue;
    held[i] = *reinterpret_cast<const V*>(x + std::int64_t{row} * columns + column0 + vector);
  }
#pragma unroll
  for (int i = 0; i < kTile / kStep; ++i) {
    if (row0 + line + i * kStep >= rows || column0 + vector >= columns) continue;
#pragma unroll
    for (int e = 0; e < kCount; ++e) turned[vector + e][line + i * kStep] = held[i].get(e);
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kTile / kStep; ++i) {
    const int column = column0 + line + i * kStep;
    if (column >= columns || row0 + vector >= rows) continue;
    V result;
#pragma unroll
    for (int e = 0; e < kCount; ++e) result.set(e, turned[line + i * kStep][vector + e]);
    *reinterpret_cast<V*>(y + std::int64_t{column} * rows + row0 + vector) = result;
  }
}

// y[cols, rows] = x[rows, cols]^T; f32, f16 and bf16.
class Transpose final : public opgate::Op {
 public:
  void run(const opgate::Call& call) override {
    const int rows = extent(call.workload, "rows");
    const int columns = extent(call.workload, "cols");
    const int tiles_across = (columns + kTile - 1) / kTile;
    const unsigned blocks = blocks_for(std::int64_t{tiles_across} * ((rows + kTile - 1) / kTile), 1, call.workload);
    opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const bool aligned = rows % kFullVector<T> == 0 && columns % kFullVector<T> == 0;
      const auto kernel = aligned ? transpose_kernel<T, kFullVector<T>> : transpose_kernel<T, 1>;
      kernel<<<blocks, kThreads, 0, call.stream>>>(call.in["x"].as<T>(), call.out["y"].as<T>(), rows, columns,
                                                   tiles_across);
    });
    OPGATE_LAUNCHED();
  }
};

OPGATE_OP(transpose, Transpose)

}  // namespace
}  // namespace ops::transpose
