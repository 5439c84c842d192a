// Kernels that libraries launch.
#include <cublas_v2.h>

#include "selftest.hpp"

namespace selftest {
namespace {

void check(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS) {
    throw opgate::Error(opgate::ErrorKind::cuda, std::string(what) + ": " + cublasGetStatusString(status));
  }
}

// y = 2 x as a sum of matrices, 2 x + 0 x.
class Cublas : public Form {
 public:
  ~Cublas() override {
    if (handle_ != nullptr) {
      cublasDestroy(handle_);
    }
  }
  void set_up(const opgate::Call& call) override {
    check(cublasCreate(&handle_), "cublasCreate");
    check(cublasSetStream(handle_, call.stream), "cublasSetStream");
  }
  void run(const opgate::Call& call, bool) override {
    constexpr int kRows = 512;
    const auto columns = static_cast<int>(size_of(call) / kRows);
    const float two = 2.0F;
    const float none = 0.0F;
    const auto* x = call.in["x"].as<float>();
    check(cublasSgeam(handle_, CUBLAS_OP_N, CUBLAS_OP_N, kRows, columns, &two, x, kRows, &none, x, kRows,
                      call.out["y"].as<float>(), kRows),
          "cublasSgeam");
  }

 private:
  cublasHandle_t handle_ = nullptr;
};

// The same call, captured.
class CublasGraph final : public Cublas {
 public:
  ~CublasGraph() override {
    if (graph_ != nullptr) {
      cudaGraphExecDestroy(graph_);
    }
  }
  void set_up(const opgate::Call& call) override {
    Cublas::set_up(call);
    cudaGraph_t captured = nullptr;
    OPGATE_CUDA(cudaStreamBeginCapture(call.stream, cudaStreamCaptureModeThreadLocal));
    Cublas::run(call, false);
    OPGATE_CUDA(cudaStreamEndCapture(call.stream, &captured));
    OPGATE_CUDA(cudaGraphInstantiate(&graph_, captured, 0));
    OPGATE_CUDA(cudaGraphDestroy(captured));
  }
  void run(const opgate::Call& call, bool) override { OPGATE_CUDA(cudaGraphLaunch(graph_, call.stream)); }

 private:
  cudaGraphExec_t graph_ = nullptr;
};

const Registered kCublas{"cublas", made<Cublas>};
const Registered kCublasGraph{"cublas-graph", made<CublasGraph>};

}  // namespace
}  // namespace selftest
