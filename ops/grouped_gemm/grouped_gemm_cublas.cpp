#include <cstddef>
#include <cstdint>

#include "../cublas.hpp"
#include "../extent.hpp"

namespace ops::grouped_gemm {
namespace {

// One cublasGemmEx per expert that has rows: as fast as cuBLAS is when the host knows the routing.
class CublasGroupedGemm final : public opgate::Op {
 public:
  void set_up(const opgate::Call& call) override {
    type_ = cublas_type(call.workload);
    rows_ = extent(call.workload, "rows");
    experts_ = extent(call.workload, "experts");
    n_ = extent(call.workload, "n");
    k_ = extent(call.workload, "k");
    handle_.set_up(call);
  }

  void run(const opgate::Call& call) override {
    const float one = 1.0F;
    const float zero = 0.0F;
    const cublasHandle_t handle = handle_.on_stream_of(call);
    for (int e = 0; e < experts_; ++e) {
      const std::int64_t first = first_row(e);
      const auto m = static_cast<int>(first_row(e + 1) - first);
      if (m == 0) continue;
      // Row-major c = a b^T is column-major c^T = b a^T.
      check_cublas(
          cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, n_, m, k_, &one, part(call.in["b"], std::int64_t{e} * n_ * k_),
                       type_, k_, part(call.in["a"], first * k_), type_, k_, &zero, part(call.out["c"], first * n_),
                       type_, n_, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
          "cublasGemmEx", call.workload);
    }
  }

 private:
  // Expert e has e + 1 shares of all rows, rounded down at its ends.
  [[nodiscard]] std::int64_t first_row(std::int64_t expert) const {
    const std::int64_t shares = std::int64_t{experts_} * (experts_ + 1);
    return rows_ * (expert * (expert + 1)) / shares;
  }

  static void* part(const opgate::Tensor& tensor, std::int64_t first_element) {
    return tensor.as<std::byte>() + static_cast<std::size_t>(first_element) * opgate::size_of(tensor.dtype);
  }

  CublasHandle handle_;
  cudaDataType_t type_ = CUDA_R_16BF;
  std::int64_t rows_ = 0;
  int experts_ = 0;
  int n_ = 0;
  int k_ = 0;
};

OPGATE_LIBRARY(grouped_gemm, "cublas", CublasGroupedGemm)

}  // namespace
}  // namespace ops::grouped_gemm
