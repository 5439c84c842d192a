#include <cublasLt.h>

#include <cstdint>

#include "../cublas.hpp"
#include "../extent.hpp"

namespace ops::gemm_fp8 {
namespace {

// FAST_ACCUM stays off, its default: sums are as exact as ours.
class CublasLtGemmFp8 final : public opgate::Op {
 public:
  ~CublasLtGemmFp8() override {
    // A destructor cannot report; whatever broke the context has been reported by the call that did.
    for (const cublasLtMatrixLayout_t layout : {a_, b_, c_}) {
      if (layout != nullptr) static_cast<void>(cublasLtMatrixLayoutDestroy(layout));
    }
    if (multiply_ != nullptr) static_cast<void>(cublasLtMatmulDescDestroy(multiply_));
    if (handle_ != nullptr) static_cast<void>(cublasLtDestroy(handle_));
  }

  void set_up(const opgate::Call& call) override {
    const auto m = static_cast<std::uint64_t>(extent(call.workload, "m"));
    const auto n = static_cast<std::uint64_t>(extent(call.workload, "n"));
    const auto k = static_cast<std::uint64_t>(extent(call.workload, "k"));
    check_cublas(cublasLtCreate(&handle_), "cublasLtCreate", call.workload);
    workspace_.allocate(kWorkspaceBytes);
    check_cublas(cublasLtMatmulDescCreate(&multiply_, CUBLAS_COMPUTE_32F, CUDA_R_32F), "cublasLtMatmulDescCreate",
                 call.workload);
    // Row-major c = a b^T is column-major c^T = b a^T: cuBLAS's A is b, and its B is a.
    set(call, CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
    set(call, CUBLASLT_MATMUL_DESC_TRANSB, CUBLAS_OP_N);
    const void* const scale_of_b = call.in["scale_b"].data;
    const void* const scale_of_a = call.in["scale_a"].data;
    set(call, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, scale_of_b);
    set(call, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, scale_of_a);
    create(call, a_, CUDA_R_8F_E4M3, k, n);
    create(call, b_, CUDA_R_8F_E4M3, k, m);
    create(call, c_, CUDA_R_16BF, n, m);
    choose(call);
  }

  void run(const opgate::Call& call) override {
    const float one = 1.0F;
    const float zero = 0.0F;
    check_cublas(cublasLtMatmul(handle_, multiply_, &one, call.in["b"].data, a_, call.in["a"].data, b_, &zero,
                                call.out["c"].data, c_, call.out["c"].data, c_, &algorithm_, workspace_.as<void>(),
                                kWorkspaceBytes, call.stream),
                 "cublasLtMatmul", call.workload);
  }

 private:
  // What NVIDIA recommends for Hopper (cuBLAS, cublasSetWorkspace).
  static constexpr std::size_t kWorkspaceBytes = 32U << 20U;

  template <class Value>
  void set(const opgate::Call& call, cublasLtMatmulDescAttributes_t what, const Value& value) {
    check_cublas(cublasLtMatmulDescSetAttribute(multiply_, what, &value, sizeof value),
                 "cublasLtMatmulDescSetAttribute", call.workload);
  }

  static void create(const opgate::Call& call, cublasLtMatrixLayout_t& layout, cudaDataType_t type, std::uint64_t rows,
                     std::uint64_t columns) {
    check_cublas(cublasLtMatrixLayoutCreate(&layout, type, rows, columns, static_cast<std::int64_t>(rows)),
                 "cublasLtMatrixLayoutCreate", call.workload);
  }

  void choose(const opgate::Call& call) {
    cublasLtMatmulPreference_t preference = nullptr;
    check_cublas(cublasLtMatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate", call.workload);
    const std::size_t bytes = kWorkspaceBytes;
    cublasStatus_t status = cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                                 &bytes, sizeof bytes);
    cublasLtMatmulHeuristicResult_t result{};
    int found = 0;
    if (status == CUBLAS_STATUS_SUCCESS) {
      status = cublasLtMatmulAlgoGetHeuristic(handle_, multiply_, a_, b_, c_, c_, preference, 1, &result, &found);
    }
    static_cast<void>(cublasLtMatmulPreferenceDestroy(preference));
    check_cublas(status, "cublasLtMatmulAlgoGetHeuristic", call.workload);
    require(found > 0, call.workload, "cuBLASLt has no kernel for this shape", "use multiples of 16 for n and k");
    algorithm_ = result.algo;
  }

  cublasLtHandle_t handle_ = nullptr;
  DeviceMemory workspace_;
  cublasLtMatmulDesc_t multiply_ = nullptr;
  cublasLtMatrixLayout_t a_ = nullptr;
  cublasLtMatrixLayout_t b_ = nullptr;
  cublasLtMatrixLayout_t c_ = nullptr;
  cublasLtMatmulAlgo_t algorithm_{};
};

OPGATE_LIBRARY(gemm_fp8, "cublaslt", CublasLtGemmFp8)

}  // namespace
}  // namespace ops::gemm_fp8
