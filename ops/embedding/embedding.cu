#include <cstdint>
#include <limits>

#include "../row.cuh"
#include "opgate/op.hpp"

namespace ops::embedding {
namespace {

constexpr int kThreads = 256;
constexpr int kPerThread = 4;  // vectors in flight per thread, which wait for their ids first
constexpr unsigned kPerBlock = kThreads * kPerThread;

// Limited by HBM for many tokens, by two dependent loads for a few. `vectors` are those of all of y, below 2^32.
// kCount = 1 serves columns that are no multiple of 16 bytes.
template <class T, int kCount>
__global__ void __launch_bounds__(kThreads)
    embedding_kernel(const T* table, const std::int32_t* ids, T* y, unsigned vectors, unsigned vectors_per_row) {
  using V = Vector<T, kCount>;
  const std::int64_t first = std::int64_t{blockIdx.x} * kPerBlock + threadIdx.x;
  std::int64_t from[kPerThread];
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const std::int64_t v = first + i * kThreads;
    if (v >= vectors) continue;
    const unsigned row = static_cast<unsigned>(v) / vectors_per_row;
    from[i] = std::int64_t{__ldg(ids + row)} * vectors_per_row + (v - std::int64_t{row} * vectors_per_row);
  }
  V held[kPerThread];
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    if (first + i * kThreads < vectors) held[i] = reinterpret_cast<const V*>(table)[from[i]];
  }
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    if (first + i * kThreads < vectors) reinterpret_cast<V*>(y)[first + i * kThreads] = held[i];
  }
}

// y[t] = table[ids[t]]; f32, f16 and bf16.
class Embedding final : public opgate::Op {
 public:
  void run(const opgate::Call& call) override {
    const int columns = extent(call.workload, "hidden");
    visit_rows<float, __half, __nv_bfloat16>(call.workload, columns, [&](auto tag, auto count) {
      using T = typename decltype(tag)::type;
      const std::int64_t vectors = call.out["y"].elements() / count();
      require(vectors <= std::numeric_limits<std::uint32_t>::max(), call.workload, "tokens * hidden is out of range",
              "use at most 2^32 vectors of 16 bytes");
      embedding_kernel<T, count()><<<blocks_for(vectors, kPerBlock, call.workload), kThreads, 0, call.stream>>>(
          call.in["table"].as<T>(), call.in["ids"].as<std::int32_t>(), call.out["y"].as<T>(),
          static_cast<unsigned>(vectors), static_cast<unsigned>(columns / count()));
    });
    OPGATE_LAUNCHED();
  }
};

OPGATE_OP(embedding, Embedding)

}  // namespace
}  // namespace ops::embedding
