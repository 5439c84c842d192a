#pragma once

#include <cublas_v2.h>

#include <string>

#include "device_memory.hpp"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

// What the cuBLAS implementations of several ops share.
namespace ops {

inline void check_cublas(cublasStatus_t status, const char* call, const opgate::Workload& workload) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw opgate::Error(opgate::ErrorKind::cuda, std::string(call) + ": " + cublasGetStatusString(status),
                      workload.case_name(), "check that cuBLAS is the one of the toolkit the op was built with");
}

[[nodiscard]] inline cudaDataType_t cublas_type(const opgate::Workload& workload) {
  if (workload.dtype == opgate::DType::f16) return CUDA_R_16F;
  if (workload.dtype == opgate::DType::bf16) return CUDA_R_16BF;
  throw opgate::Error(opgate::ErrorKind::op,
                      "cublas: no gemm for dtype " + std::string(opgate::to_string(workload.dtype)),
                      workload.case_name(), "remove the dtype from the spec, or map it here");
}

// A handle with a workspace of its own, on the stream of the last call.
class CublasHandle {
 public:
  CublasHandle() = default;
  CublasHandle(const CublasHandle&) = delete;
  CublasHandle& operator=(const CublasHandle&) = delete;
  ~CublasHandle() {
    // A destructor cannot report; whatever broke the context has been reported by the call that did.
    if (handle_ != nullptr) static_cast<void>(cublasDestroy(handle_));
  }

  void set_up(const opgate::Call& call) {
    if (handle_ == nullptr) {
      check_cublas(cublasCreate(&handle_), "cublasCreate", call.workload);
      workspace_.allocate(kWorkspaceBytes);
    }
    use_stream(call);
  }

  [[nodiscard]] cublasHandle_t on_stream_of(const opgate::Call& call) {
    if (call.stream != stream_) use_stream(call);
    return handle_;
  }

 private:
  // What NVIDIA recommends for Hopper (cuBLAS, cublasSetWorkspace).
  static constexpr std::size_t kWorkspaceBytes = 32U << 20U;

  // cublasSetStream falls back to cuBLAS's own pool, so the workspace has to follow it.
  void use_stream(const opgate::Call& call) {
    check_cublas(cublasSetStream(handle_, call.stream), "cublasSetStream", call.workload);
    check_cublas(cublasSetWorkspace(handle_, workspace_.as<void>(), kWorkspaceBytes), "cublasSetWorkspace",
                 call.workload);
    stream_ = call.stream;
  }

  cublasHandle_t handle_ = nullptr;
  DeviceMemory workspace_;
  opgate::Stream stream_ = nullptr;
};

}  // namespace ops
