#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::gemm_fp8 {
namespace {

constexpr int kSide = 32;

// A block does 32 x 32 outputs, a thread four of them; plain f64 sums over k in order, then the scales.
__global__ void __launch_bounds__(256)
    reference_kernel(const __nv_fp8_e4m3* a, const __nv_fp8_e4m3* b, const float* scale_a, const float* scale_b,
                     double* c, std::int64_t m, std::int64_t n, std::int64_t k) {
  __shared__ double a_tile[kSide][kSide + 1];
  __shared__ double b_tile[kSide][kSide + 1];
  const int x = static_cast<int>(threadIdx.x) % kSide;
  const int y = static_cast<int>(threadIdx.x) / kSide;
  const std::int64_t row0 = std::int64_t{blockIdx.y} * kSide;
  const std::int64_t column0 = std::int64_t{blockIdx.x} * kSide;
  double sum[4] = {};
  for (std::int64_t k0 = 0; k0 < k; k0 += kSide) {
    for (int i = y; i < kSide; i += 8) {
      const bool in_k = k0 + x < k;
      a_tile[i][x] = in_k && row0 + i < m ? opgate::to_f64(a[(row0 + i) * k + k0 + x]) : 0.0;
      b_tile[i][x] = in_k && column0 + i < n ? opgate::to_f64(b[(column0 + i) * k + k0 + x]) : 0.0;
    }
    __syncthreads();
    for (int kk = 0; kk < kSide; ++kk) {
      for (int i = 0; i < 4; ++i) sum[i] += a_tile[y + 8 * i][kk] * b_tile[x][kk];
    }
    __syncthreads();
  }
  const double scale = opgate::to_f64(*scale_a) * opgate::to_f64(*scale_b);
  for (int i = 0; i < 4; ++i) {
    const std::int64_t row = row0 + y + 8 * i;
    if (row < m && column0 + x < n) c[row * n + column0 + x] = sum[i] * scale;
  }
}

void reference(const opgate::Call& call) {
  const std::int64_t m = call.workload.dim("m");
  const std::int64_t n = call.workload.dim("n");
  const dim3 blocks(static_cast<unsigned>((n + kSide - 1) / kSide), static_cast<unsigned>((m + kSide - 1) / kSide));
  reference_kernel<<<blocks, 256, 0, call.stream>>>(call.in["a"].as<__nv_fp8_e4m3>(), call.in["b"].as<__nv_fp8_e4m3>(),
                                                    call.in["scale_a"].as<float>(), call.in["scale_b"].as<float>(),
                                                    call.out["c"].as<double>(), m, n, call.workload.dim("k"));
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(gemm_fp8, reference)

}  // namespace
}  // namespace ops::gemm_fp8
