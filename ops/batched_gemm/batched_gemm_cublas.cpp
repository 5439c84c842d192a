#include "../cublas.hpp"
#include "../extent.hpp"

namespace ops::batched_gemm {
namespace {

class CublasBatchedGemm final : public opgate::Op {
 public:
  void set_up(const opgate::Call& call) override {
    type_ = cublas_type(call.workload);
    batch_ = extent(call.workload, "batch");
    m_ = extent(call.workload, "m");
    n_ = extent(call.workload, "n");
    k_ = extent(call.workload, "k");
    handle_.set_up(call);
  }

  void run(const opgate::Call& call) override {
    const float one = 1.0F;
    const float zero = 0.0F;
    const long long m = m_;
    const long long n = n_;
    const long long k = k_;
    // Row-major c = a b^T is column-major c^T = b a^T.
    check_cublas(cublasGemmStridedBatchedEx(handle_.on_stream_of(call), CUBLAS_OP_T, CUBLAS_OP_N, n_, m_, k_, &one,
                                            call.in["b"].data, type_, k_, n * k, call.in["a"].data, type_, k_, m * k,
                                            &zero, call.out["c"].data, type_, n_, m * n, batch_, CUBLAS_COMPUTE_32F,
                                            CUBLAS_GEMM_DEFAULT),
                 "cublasGemmStridedBatchedEx", call.workload);
  }

 private:
  CublasHandle handle_;
  cudaDataType_t type_ = CUDA_R_16BF;
  int batch_ = 0;
  int m_ = 0;
  int n_ = 0;
  int k_ = 0;
};

OPGATE_LIBRARY(batched_gemm, "cublas", CublasBatchedGemm)

}  // namespace
}  // namespace ops::batched_gemm
