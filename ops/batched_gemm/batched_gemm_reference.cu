#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::batched_gemm {
namespace {

constexpr int kSide = 32;

// A block does 32 x 32 outputs of one matrix, a thread four of them; plain f64 sums over k in order.
template <class T>
__global__ void __launch_bounds__(256) reference_kernel(const T* a, const T* b, double* c, int m, int n, int k) {
  __shared__ double a_tile[kSide][kSide + 1];
  __shared__ double b_tile[kSide][kSide + 1];
  const std::int64_t batch = blockIdx.z;
  a += batch * m * k;
  b += batch * n * k;
  c += batch * m * n;
  const int x = static_cast<int>(threadIdx.x) % kSide;
  const int y = static_cast<int>(threadIdx.x) / kSide;
  const int row0 = static_cast<int>(blockIdx.y) * kSide;
  const int column0 = static_cast<int>(blockIdx.x) * kSide;
  double sum[4] = {};
  for (int k0 = 0; k0 < k; k0 += kSide) {
    for (int i = y; i < kSide; i += 8) {
      const bool in_k = k0 + x < k;
      a_tile[i][x] = in_k && row0 + i < m ? opgate::to_f64(a[std::int64_t{row0 + i} * k + k0 + x]) : 0.0;
      b_tile[i][x] = in_k && column0 + i < n ? opgate::to_f64(b[std::int64_t{column0 + i} * k + k0 + x]) : 0.0;
    }
    __syncthreads();
    for (int kk = 0; kk < kSide; ++kk) {
      for (int i = 0; i < 4; ++i) sum[i] += a_tile[y + 8 * i][kk] * b_tile[x][kk];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    const int row = row0 + y + 8 * i;
    if (row < m && column0 + x < n) c[std::int64_t{row} * n + column0 + x] = sum[i];
  }
}

void reference(const opgate::Call& call) {
  const auto m = static_cast<int>(call.workload.dim("m"));
  const auto n = static_cast<int>(call.workload.dim("n"));
  const auto k = static_cast<int>(call.workload.dim("k"));
  const dim3 blocks(static_cast<unsigned>((n + kSide - 1) / kSide), static_cast<unsigned>((m + kSide - 1) / kSide),
                    static_cast<unsigned>(call.workload.dim("batch")));
  opgate::visit_types<__half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T><<<blocks, 256, 0, call.stream>>>(call.in["a"].as<T>(), call.in["b"].as<T>(),
                                                         call.out["c"].as<double>(), m, n, k);
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(batched_gemm, reference)

}  // namespace
}  // namespace ops::batched_gemm
