#include <cublas_v2.h>

#include <cstdint>
#include <limits>
#include <string>

#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::gemm {
namespace {

void check(cublasStatus_t status, const char* call, const opgate::Call& where) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw opgate::Error(opgate::ErrorKind::cuda, std::string(call) + ": " + cublasGetStatusString(status),
                      where.workload.case_name(), "check that cuBLAS is the one of the toolkit the op was built with");
}

int extent(const opgate::Call& call, const char* name) {
  const std::int64_t value = call.workload.dim(name);
  if (value < 1 || value > std::numeric_limits<int>::max()) {
    throw opgate::Error(opgate::ErrorKind::op, std::string("cublas: ") + name + " does not fit an int",
                        call.workload.case_name(), "use dimensions below 2^31");
  }
  return static_cast<int>(value);
}

cudaDataType_t type_of(const opgate::Call& call) {
  if (call.workload.dtype == opgate::DType::f16) return CUDA_R_16F;
  if (call.workload.dtype == opgate::DType::bf16) return CUDA_R_16BF;
  throw opgate::Error(opgate::ErrorKind::op,
                      "cublas: no gemm for dtype " + std::string(opgate::to_string(call.workload.dtype)),
                      call.workload.case_name(), "remove the dtype from the spec, or map it here");
}

class CublasGemm final : public opgate::Op {
 public:
  ~CublasGemm() override {
    // A destructor cannot report; whatever broke the context has been reported by the call that did.
    if (handle_ != nullptr) static_cast<void>(cublasDestroy(handle_));
    if (workspace_ != nullptr) static_cast<void>(cudaFree(workspace_));
  }

  void set_up(const opgate::Call& call) override {
    type_ = type_of(call);
    m_ = extent(call, "m");
    n_ = extent(call, "n");
    k_ = extent(call, "k");
    if (handle_ == nullptr) {
      check(cublasCreate(&handle_), "cublasCreate", call);
      OPGATE_CUDA(cudaMalloc(&workspace_, kWorkspaceBytes));
    }
    use_stream(call);
  }

  void run(const opgate::Call& call) override {
    if (call.stream != stream_) use_stream(call);
    const float one = 1.0F;
    const float zero = 0.0F;
    // Row-major c = a b^T is column-major c^T = b a^T.
    check(cublasGemmEx(handle_, CUBLAS_OP_T, CUBLAS_OP_N, n_, m_, k_, &one, call.in["b"].data, type_, k_,
                       call.in["a"].data, type_, k_, &zero, call.out["c"].data, type_, n_, CUBLAS_COMPUTE_32F,
                       CUBLAS_GEMM_DEFAULT),
          "cublasGemmEx", call);
  }

 private:
  // What NVIDIA recommends for Hopper (cuBLAS, cublasSetWorkspace).
  static constexpr std::size_t kWorkspaceBytes = 32U << 20U;

  // cublasSetStream falls back to cuBLAS's own pool, so the workspace has to follow it.
  void use_stream(const opgate::Call& call) {
    check(cublasSetStream(handle_, call.stream), "cublasSetStream", call);
    check(cublasSetWorkspace(handle_, workspace_, kWorkspaceBytes), "cublasSetWorkspace", call);
    stream_ = call.stream;
  }

  cublasHandle_t handle_ = nullptr;
  void* workspace_ = nullptr;
  opgate::Stream stream_ = nullptr;
  cudaDataType_t type_ = CUDA_R_16BF;
  int m_ = 0;
  int n_ = 0;
  int k_ = 0;
};

OPGATE_LIBRARY(gemm, "cublas", CublasGemm)

}  // namespace
}  // namespace ops::gemm
