#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::gemm {
namespace {

constexpr int kBlock = 64;  // outputs per block side, 4 x 4 per thread
constexpr int kDepth = 16;

// Plain f64 sums over k in order; shared memory only saves conversions.
template <class T>
__global__ void __launch_bounds__(256) reference_kernel(const T* a, const T* b, double* c, int m, int n, int k) {
  __shared__ double a_tile[kDepth][kBlock + 1];
  __shared__ double b_tile[kDepth][kBlock + 1];
  const int tx = static_cast<int>(threadIdx.x) % 16;
  const int ty = static_cast<int>(threadIdx.x) / 16;
  const int row0 = static_cast<int>(blockIdx.y) * kBlock;
  const int column0 = static_cast<int>(blockIdx.x) * kBlock;
  double sum[4][4] = {};
  for (int k0 = 0; k0 < k; k0 += kDepth) {
    for (int i = 0; i < 4; ++i) {
      const int r = ty + i * 16;
      const int kk = k0 + tx;
      const bool in_a = row0 + r < m && kk < k;
      const bool in_b = column0 + r < n && kk < k;
      a_tile[tx][r] = in_a ? opgate::to_f64(a[static_cast<std::int64_t>(row0 + r) * k + kk]) : 0.0;
      b_tile[tx][r] = in_b ? opgate::to_f64(b[static_cast<std::int64_t>(column0 + r) * k + kk]) : 0.0;
    }
    __syncthreads();
    for (int kk = 0; kk < kDepth; ++kk) {
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) sum[i][j] += a_tile[kk][ty + i * 16] * b_tile[kk][tx + j * 16];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      const int row = row0 + ty + i * 16;
      const int column = column0 + tx + j * 16;
      if (row < m && column < n) c[static_cast<std::int64_t>(row) * n + column] = sum[i][j];
    }
  }
}

void reference(const opgate::Call& call) {
  const auto m = static_cast<int>(call.workload.dim("m"));
  const auto n = static_cast<int>(call.workload.dim("n"));
  const auto k = static_cast<int>(call.workload.dim("k"));
  const dim3 blocks(static_cast<unsigned>((n + kBlock - 1) / kBlock), static_cast<unsigned>((m + kBlock - 1) / kBlock));
  opgate::visit_types<__half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T><<<blocks, 256, 0, call.stream>>>(call.in["a"].as<T>(), call.in["b"].as<T>(),
                                                         call.out["c"].as<double>(), m, n, k);
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(gemm, reference)

}  // namespace
}  // namespace ops::gemm
