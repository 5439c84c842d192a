#include <algorithm>
#include <cstdint>

#include "../extent.hpp"
#include "../vector.cuh"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::rope {
namespace {

constexpr int kMaxThreads = 512;

template <class T>
struct Problem {
  const T* x;
  const std::int32_t* positions;
  const float* cos_sin;
  T* y;
  int heads;
  int half;  // of a head's dimensions
};

// Limited by HBM for many tokens. A block does a token; a thread keeps its angles in registers and turns the same two
// vectors of every head it has: element i of the first half with element i of the second. kCount = 1 serves halves that
// are no multiple of 16 bytes.
template <class T, int kCount>
__global__ void __launch_bounds__(kMaxThreads) rope_kernel(Problem<T> p) {
  using V = Vector<T, kCount>;
  const int vectors = p.half / kCount;
  const int heads_at_once = static_cast<int>(blockDim.x) / vectors;
  const int head0 = static_cast<int>(threadIdx.x) / vectors;
  if (head0 >= heads_at_once) return;
  const int at = static_cast<int>(threadIdx.x) % vectors;
  const std::int64_t token = blockIdx.x;
  const float* angles = p.cos_sin + std::int64_t{p.positions[token]} * 2 * p.half + at * kCount;
  float cosine[kCount];
  float sine[kCount];
#pragma unroll
  for (int e = 0; e < kCount; ++e) {
    cosine[e] = __ldg(angles + e);
    sine[e] = __ldg(angles + p.half + e);
  }
  for (int head = head0; head < p.heads; head += heads_at_once) {
    const std::int64_t base = (token * p.heads + head) * 2 * p.half;
    const V low = reinterpret_cast<const V*>(p.x + base)[at];
    const V high = reinterpret_cast<const V*>(p.x + base + p.half)[at];
    V new_low;
    V new_high;
#pragma unroll
    for (int e = 0; e < kCount; ++e) {
      const auto a = static_cast<float>(low.get(e));
      const auto b = static_cast<float>(high.get(e));
      new_low.set(e, static_cast<T>(a * cosine[e] - b * sine[e]));
      new_high.set(e, static_cast<T>(b * cosine[e] + a * sine[e]));
    }
    reinterpret_cast<V*>(p.y + base)[at] = new_low;
    reinterpret_cast<V*>(p.y + base + p.half)[at] = new_high;
  }
}

// Rotary embedding of the queries and keys of a token by its position, halves turned against each other (as in Llama);
// the angles' cosines and sines come from a table in f32; f16 and bf16.
class Rope final : public opgate::Op {
 public:
  void run(const opgate::Call& call) override {
    const int half = extent(call.workload, "half");
    opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
      using T = typename decltype(tag)::type;
      if (half % kFullVector<T> == 0) {
        launch<T, kFullVector<T>>(call, half);
      } else {
        launch<T, 1>(call, half);
      }
    });
  }

 private:
  template <class T, int kCount>
  static void launch(const opgate::Call& call, int half) {
    const int vectors = half / kCount;
    require(vectors <= kMaxThreads, call.workload, "half = " + std::to_string(half) + " is too large",
            "use at most 512 vectors of 16 bytes, or 512 elements where they do not fill vectors");
    const int heads = extent(call.workload, "heads");
    // Passes over the heads that leave the fewest threads idle in the last.
    const int most = kMaxThreads / vectors;
    const int passes = (heads + most - 1) / most;
    const int heads_at_once = (heads + passes - 1) / passes;
    const auto threads = static_cast<unsigned>(heads_at_once * vectors);
    rope_kernel<T, kCount><<<blocks_for(call.workload.dim("tokens"), 1, call.workload), threads, 0, call.stream>>>(
        {call.in["x"].as<T>(), call.in["positions"].as<std::int32_t>(), call.in["cos_sin"].as<float>(),
         call.out["y"].as<T>(), heads, half});
    OPGATE_LAUNCHED();
  }
};

OPGATE_OP(rope, Rope)

}  // namespace
}  // namespace ops::rope
