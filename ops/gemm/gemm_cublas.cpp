#include "../cublas.hpp"
#include "../extent.hpp"

namespace ops::gemm {
namespace {

class CublasGemm final : public opgate::Op {
 public:
  void set_up(const opgate::Call& call) override {
    type_ = cublas_type(call.workload);
    m_ = extent(call.workload, "m");
    n_ = extent(call.workload, "n");
    k_ = extent(call.workload, "k");
    handle_.set_up(call);
  }

  void run(const opgate::Call& call) override {
    const float one = 1.0F;
    const float zero = 0.0F;
    // Row-major c = a b^T is column-major c^T = b a^T.
    check_cublas(cublasGemmEx(handle_.on_stream_of(call), CUBLAS_OP_T, CUBLAS_OP_N, n_, m_, k_, &one, call.in["b"].data,
                              type_, k_, call.in["a"].data, type_, k_, &zero, call.out["c"].data, type_, n_,
                              CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                 "cublasGemmEx", call.workload);
  }

 private:
  CublasHandle handle_;
  cudaDataType_t type_ = CUDA_R_16BF;
  int m_ = 0;
  int n_ = 0;
  int k_ = 0;
};

OPGATE_LIBRARY(gemm, "cublas", CublasGemm)

}  // namespace
}  // namespace ops::gemm
