#pragma once

#include <cstdint>

#include "extent.hpp"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"
#include "slowdown.cuh"
#include "vector.cuh"

// Ops that compute every element of an output from the same element of their inputs.
namespace ops {

inline constexpr int kMapThreads = 256;
inline constexpr int kMapPerThread = 4;  // vectors of every input in flight per thread
inline constexpr std::int64_t kMapPerBlock = std::int64_t{kMapThreads} * kMapPerThread;

template <class In, int kInputs>
struct MapInputs {
  const In* data[kInputs];
};

// The wider of both types fills 16 bytes.
template <class In, class Out>
inline constexpr int kMapCount = sizeof(In) > sizeof(Out) ? kFullVector<In> : kFullVector<Out>;

template <class Function, class In, class Out, int kInputs>
__device__ Out map_element(const Function& function, const MapInputs<In, kInputs>& in, std::int64_t i) {
  if constexpr (kInputs == 1) {
    return static_cast<Out>(function(static_cast<float>(in.data[0][i])));
  } else {
    return static_cast<Out>(function(static_cast<float>(in.data[0][i]), static_cast<float>(in.data[1][i])));
  }
}

// Limited by HBM: every input is read once, the output written once. Tensors begin at multiples of 256 bytes; the last
// block also does what does not fill a vector.
template <class Function, class In, class Out, int kInputs>
__global__ void __launch_bounds__(kMapThreads)
    map_kernel(Function function, MapInputs<In, kInputs> in, Out* out, std::int64_t elements, unsigned blocks) {
  static_assert(kInputs == 1 || kInputs == 2);
  constexpr int kCount = kMapCount<In, Out>;
  using V = Vector<In, kCount>;
  const long long start = slow_start();
  const std::int64_t vectors = elements / kCount;
  const std::int64_t block = slow_block(blockIdx.x, blocks);
  const std::int64_t first = block * kMapPerBlock + threadIdx.x;
  V held[kInputs][kMapPerThread];
#pragma unroll
  for (int i = 0; i < kMapPerThread; ++i) {
    const std::int64_t v = first + i * kMapThreads;
    if (v >= vectors) continue;
#pragma unroll
    for (int input = 0; input < kInputs; ++input) held[input][i] = reinterpret_cast<const V*>(in.data[input])[v];
  }
#pragma unroll
  for (int i = 0; i < kMapPerThread; ++i) {
    const std::int64_t v = first + i * kMapThreads;
    if (v >= vectors) continue;
    Vector<Out, kCount> result;
#pragma unroll
    for (int e = 0; e < kCount; ++e) {
      if constexpr (kInputs == 1) {
        result.set(e, static_cast<Out>(function(static_cast<float>(held[0][i].get(e)))));
      } else {
        result.set(e, static_cast<Out>(
                          function(static_cast<float>(held[0][i].get(e)), static_cast<float>(held[1][i].get(e)))));
      }
    }
    reinterpret_cast<Vector<Out, kCount>*>(out)[v] = result;
  }
  const std::int64_t tail = vectors * kCount + threadIdx.x;
  if (block == blocks - 1 && tail < elements) {
    out[tail] = map_element<Function, In, Out, kInputs>(function, in, tail);
  }
  if (slow_in_place(blocks)) {
    stretch(start, [&](int pass) {
      const volatile In* again = in.data[0] + (first + pass * kMapThreads) * kCount % elements;
      keep(reinterpret_cast<const volatile unsigned char*>(again)[0], out);
    });
  }
}

template <class Function, class In, class Out, int kInputs>
void launch_map(const opgate::Call& call, Function function, const MapInputs<In, kInputs>& in, Out* out,
                std::int64_t elements) {
  const std::int64_t vectors = elements / kMapCount<In, Out>;
  const unsigned blocks = blocks_for(vectors == 0 ? 1 : vectors, kMapPerBlock, call.workload);
  map_kernel<Function, In, Out, kInputs>
      <<<blocks + slow_extra_blocks(blocks), kMapThreads, 0, call.stream>>>(function, in, out, elements, blocks);
  OPGATE_LAUNCHED();
}

}  // namespace ops
