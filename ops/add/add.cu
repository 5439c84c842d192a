#include <algorithm>
#include <cstdint>

#include "../vector.cuh"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::add {
namespace {

constexpr int kThreads = 256;
constexpr int kPerThread = 4;  // vectors of a and of b in flight per thread
constexpr std::int64_t kPerBlock = std::int64_t{kThreads} * kPerThread;

template <class T>
__device__ T sum_of(T a, T b) {
  return static_cast<T>(static_cast<float>(a) + static_cast<float>(b));
}

// Limited by HBM: two reads and a write per element. The last block also adds what does not fill a vector.
template <class T>
__global__ void __launch_bounds__(kThreads) add_kernel(const T* a, const T* b, T* c, std::int64_t elements) {
  constexpr int kCount = kFullVector<T>;
  using V = Vector<T, kCount>;
  const std::int64_t vectors = elements / kCount;
  const std::int64_t first = blockIdx.x * kPerBlock + threadIdx.x;
  V left[kPerThread];
  V right[kPerThread];
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const std::int64_t v = first + i * kThreads;
    if (v < vectors) {
      left[i] = reinterpret_cast<const V*>(a)[v];
      right[i] = reinterpret_cast<const V*>(b)[v];
    }
  }
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const std::int64_t v = first + i * kThreads;
    if (v >= vectors) continue;
    V result;
#pragma unroll
    for (int e = 0; e < kCount; ++e) result.set(e, sum_of(left[i].get(e), right[i].get(e)));
    reinterpret_cast<V*>(c)[v] = result;
  }
  const std::int64_t tail = vectors * kCount + threadIdx.x;
  if (blockIdx.x == gridDim.x - 1 && tail < elements) c[tail] = sum_of(a[tail], b[tail]);
}

// c = a + b element by element; f32, f16 and bf16.
class Add final : public opgate::Op {
 public:
  void run(const opgate::Call& call) override {
    const std::int64_t elements = call.out["c"].elements();
    opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const std::int64_t vectors = elements / kFullVector<T>;
      const auto blocks = static_cast<unsigned>(std::max<std::int64_t>(1, (vectors + kPerBlock - 1) / kPerBlock));
      add_kernel<T><<<blocks, kThreads, 0, call.stream>>>(call.in["a"].as<T>(), call.in["b"].as<T>(),
                                                          call.out["c"].as<T>(), elements);
    });
    OPGATE_LAUNCHED();
  }
};

OPGATE_OP(add, Add)

}  // namespace
}  // namespace ops::add
