#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::grouped_gemm {
namespace {

constexpr int kSide = 32;
constexpr int kRows = 8;  // of c per block; a row finds its own expert

// The expert e with rows * e (e + 1) / (E (E + 1)) <= row, rounded down, for the largest such e.
__device__ std::int64_t expert_of(std::int64_t row, std::int64_t rows, std::int64_t experts) {
  std::int64_t expert = 0;
  while (expert + 1 < experts && rows * (expert + 1) * (expert + 2) / (experts * (experts + 1)) <= row) ++expert;
  return expert;
}

// Plain f64 sums: 32 lanes share a row's k, and each output is the sum of theirs.
template <class T>
__global__ void __launch_bounds__(kSide* kRows) reference_kernel(const T* a, const T* b, double* c, std::int64_t rows,
                                                                 std::int64_t n, std::int64_t k, std::int64_t experts) {
  const std::int64_t row = std::int64_t{blockIdx.y} * kRows + threadIdx.y;
  if (row >= rows) return;
  const T* weights = b + expert_of(row, rows, experts) * n * k;
  const std::int64_t column0 = std::int64_t{blockIdx.x} * kSide;
  for (std::int64_t column = column0; column < column0 + kSide && column < n; ++column) {
    double sum = 0;
    for (std::int64_t i = threadIdx.x; i < k; i += kSide) {
      sum += opgate::to_f64(a[row * k + i]) * opgate::to_f64(weights[column * k + i]);
    }
    for (int offset = kSide / 2; offset > 0; offset /= 2) sum += __shfl_down_sync(0xFFFFFFFFU, sum, offset);
    if (threadIdx.x == 0) c[row * n + column] = sum;
  }
}

void reference(const opgate::Call& call) {
  const std::int64_t rows = call.workload.dim("rows");
  const std::int64_t n = call.workload.dim("n");
  const dim3 blocks(static_cast<unsigned>((n + kSide - 1) / kSide), static_cast<unsigned>((rows + kRows - 1) / kRows));
  opgate::visit_types<__nv_bfloat16>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T><<<blocks, dim3(kSide, kRows), 0, call.stream>>>(
        call.in["a"].as<T>(), call.in["b"].as<T>(), call.out["c"].as<double>(), rows, n, call.workload.dim("k"),
        call.workload.dim("experts"));
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(grouped_gemm, reference)

}  // namespace
}  // namespace ops::grouped_gemm
