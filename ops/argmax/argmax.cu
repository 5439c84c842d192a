#include "../cluster.cuh"
#include "../row.cuh"
#include "opgate/op.hpp"

namespace ops::argmax {
namespace {

using Key = unsigned long long;

// Orders first by value, then by the lower index. Adding 0 makes -0 equal to 0.
__device__ Key key_of(float value, unsigned index) {
  const unsigned bits = __float_as_uint(value + 0.0F);
  const unsigned ordered = (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
  return Key{ordered} << 32U | (0xFFFFFFFFU - index);
}

struct Greater {
  __device__ Key operator()(Key a, Key b) const { return a > b ? a : b; }
};

__device__ Key block_greatest(Key mine, Key* partials) {
  const Greater greater;
#pragma unroll
  for (int offset = kWarpThreads / 2; offset > 0; offset /= 2) {
    mine = greater(mine, __shfl_xor_sync(0xFFFFFFFFU, mine, offset));
  }
  if (blockDim.x == kWarpThreads) return mine;
  if (threadIdx.x % kWarpThreads == 0) partials[threadIdx.x / kWarpThreads] = mine;
  __syncthreads();
  Key result = partials[0];
  for (unsigned warp = 1; warp < blockDim.x / kWarpThreads; ++warp) result = greater(result, partials[warp]);
  return result;
}

// Limited by HBM for many rows, by the few blocks that read a row for one: a cluster of up to 8 shares a long one.
template <class T, int kCount>
__global__ void __launch_bounds__(kMaxRowThreads, 2)
    argmax_kernel(const T* x, std::int32_t* y, std::int64_t rows, int columns) {
  __shared__ Key partials[kMaxRowWarps];
  __shared__ Key slot;
  const RowSlice slice = row_slice(columns / kCount);
  if (slice.row >= rows) return;  // whole warps, that share their row with no other
  const HeldRow<T, kCount> held(x + slice.row * columns + std::int64_t{slice.first} * kCount, slice.vectors);
  // A thread meets its elements in rising order, so the first of equal ones stays.
  float best = 0;
  int at = -1;
  held.each([&](int v, const Vector<T, kCount>& vector) {
#pragma unroll
    for (int e = 0; e < kCount; ++e) {
      const auto value = static_cast<float>(vector.get(e));
      if (at < 0 || value > best) {
        best = value;
        at = (slice.first + v) * kCount + e;
      }
    }
  });
  const Key mine = at < 0 ? 0 : key_of(best, static_cast<unsigned>(at));
  const Key greatest = cluster_reduce(block_greatest(mine, partials), &slot, Greater{});
  if (is_row_leader()) {
    y[slice.row] = static_cast<std::int32_t>(0xFFFFFFFFU - static_cast<unsigned>(greatest));
  }
}

// y = the index of the largest element of each row, the lowest of equal ones; x in f32, f16 or bf16, without NaN.
class Argmax final : public opgate::Op {
 public:
  void run(const opgate::Call& call) override {
    const int columns = extent(call.workload, "cols");
    visit_rows<float, __half, __nv_bfloat16>(call.workload, columns, [&](auto tag, auto count) {
      using T = typename decltype(tag)::type;
      launch_clusters(argmax_kernel<T, count()>, plan_reduction(columns / count(), call.workload), call.stream,
                      static_cast<const T*>(call.in["x"].as<T>()), call.out["y"].as<std::int32_t>(),
                      call.workload.dim("rows"), columns);
    });
  }
};

OPGATE_OP(argmax, Argmax)

}  // namespace
}  // namespace ops::argmax
