#include <cuda_fp8.h>

#include "../row.cuh"
#include "opgate/op.hpp"

namespace ops::quantize_fp8 {
namespace {

constexpr float kLargest = 448;  // of e4m3

template <class T>
struct Problem {
  const T* x;
  __nv_fp8_e4m3* q;
  float* scale;
  int columns;
};

// Limited by HBM: a row is read once (see HeldRow) and written at half the size. A vector of 16 bytes becomes one of 8
// or 4.
template <class T, int kCount>
__global__ void __launch_bounds__(kMaxRowThreads, 2) quantize_fp8_kernel(Problem<T> p) {
  using V = Vector<T, kCount>;
  __shared__ float partials[kMaxRowWarps];
  const std::int64_t base = std::int64_t{blockIdx.x} * p.columns;
  const HeldRow<T, kCount> row(p.x + base, p.columns / kCount);
  float largest = 0;
  row.each_element([&](float value) { largest = fmaxf(largest, fabsf(value)); });
  largest = block_reduce(largest, partials, Largest{});
  const float inverse = largest > 0 ? kLargest / largest : 0;
  row.each([&](int v, const V& x) {
    Vector<__nv_fp8_e4m3, kCount> result;
    if constexpr (kCount == 1) {
      result.set(0, __nv_fp8_e4m3(static_cast<float>(x.get(0)) * inverse));
    } else {
      // Two at a time, as the instruction converts; both saturate.
      auto* pairs = reinterpret_cast<__nv_fp8x2_storage_t*>(&result.word);
#pragma unroll
      for (int e = 0; e < kCount; e += 2) {
        const float2 pair =
            make_float2(static_cast<float>(x.get(e)) * inverse, static_cast<float>(x.get(e + 1)) * inverse);
        pairs[e / 2] = __nv_cvt_float2_to_fp8x2(pair, __NV_SATFINITE, __NV_E4M3);
      }
    }
    reinterpret_cast<Vector<__nv_fp8_e4m3, kCount>*>(p.q + base)[v] = result;
  });
  if (threadIdx.x == 0) p.scale[blockIdx.x] = largest / kLargest;
}

// scale = max(|x|) / 448 of a row (a token), q = x / scale in f8e4m3; x in f32, f16 or bf16. Rows of zeros have scale
// 0.
class QuantizeFp8 final : public opgate::Op {
 public:
  void run(const opgate::Call& call) override {
    const int columns = extent(call.workload, "cols");
    const unsigned rows = blocks_for(call.workload.dim("rows"), 1, call.workload);
    visit_rows<float, __half, __nv_bfloat16>(call.workload, columns, [&](auto tag, auto count) {
      using T = typename decltype(tag)::type;
      const Problem<T> p{call.in["x"].as<T>(), call.out["q"].as<__nv_fp8_e4m3>(), call.out["scale"].as<float>(),
                         columns};
      quantize_fp8_kernel<T, count()><<<rows, row_threads(columns / count()), 0, call.stream>>>(p);
    });
    OPGATE_LAUNCHED();
  }
};

OPGATE_OP(quantize_fp8, QuantizeFp8)

}  // namespace
}  // namespace ops::quantize_fp8
