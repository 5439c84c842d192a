#include <cstdint>
#include <limits>

#include "../row.cuh"
#include "opgate/op.hpp"

namespace ops::silu_and_mul {
namespace {

constexpr int kThreads = 256;
constexpr int kPerThread = 4;  // vectors of both halves in flight per thread
constexpr unsigned kPerBlock = kThreads * kPerThread;

__device__ float silu(float x) {
  return __fdividef(x, 1.0F + __expf(-x));
}

// Limited by HBM: both halves of a row are read once. kCount = 1 serves columns that are no multiple of 16 bytes, where
// rows start unaligned. `vectors` are those of all of y, below 2^32: 64-bit divisions would cost as much as the loads.
template <class T, int kCount>
__global__ void __launch_bounds__(kThreads)
    silu_and_mul_kernel(const T* x, T* y, unsigned vectors, unsigned vectors_per_row) {
  using V = Vector<T, kCount>;
  const auto* in = reinterpret_cast<const V*>(x);
  const std::int64_t first = std::int64_t{blockIdx.x} * kPerBlock + threadIdx.x;
  V gate[kPerThread];
  V up[kPerThread];
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const std::int64_t v = first + i * kThreads;
    if (v >= vectors) continue;
    // Vector v of y is in row r; r more rows' halves lie before its gate in x.
    const std::int64_t at = v + std::int64_t{static_cast<unsigned>(v) / vectors_per_row} * vectors_per_row;
    gate[i] = in[at];
    up[i] = in[at + vectors_per_row];
  }
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const std::int64_t v = first + i * kThreads;
    if (v >= vectors) continue;
    V result;
#pragma unroll
    for (int e = 0; e < kCount; ++e) {
      result.set(e, static_cast<T>(silu(static_cast<float>(gate[i].get(e))) * static_cast<float>(up[i].get(e))));
    }
    reinterpret_cast<V*>(y)[v] = result;
  }
}

// y = silu(gate) * up, gate and up being the first and the second half of each row of x; f32, f16 and bf16.
class SiluAndMul final : public opgate::Op {
 public:
  void run(const opgate::Call& call) override {
    const int columns = extent(call.workload, "cols");
    visit_rows<float, __half, __nv_bfloat16>(call.workload, columns, [&](auto tag, auto count) {
      using T = typename decltype(tag)::type;
      const std::int64_t vectors = call.out["y"].elements() / count();
      require(vectors <= std::numeric_limits<std::uint32_t>::max(), call.workload, "rows * cols is out of range",
              "use at most 2^32 vectors of 16 bytes");
      silu_and_mul_kernel<T, count()><<<blocks_for(vectors, kPerBlock, call.workload), kThreads, 0, call.stream>>>(
          call.in["x"].as<T>(), call.out["y"].as<T>(), static_cast<unsigned>(vectors),
          static_cast<unsigned>(columns / count()));
    });
    OPGATE_LAUNCHED();
  }
};

OPGATE_OP(silu_and_mul, SiluAndMul)

}  // namespace
}  // namespace ops::silu_and_mul
