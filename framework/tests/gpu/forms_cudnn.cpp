// A kernel that cuDNN launches; built where cuDNN is found.
#include <cudnn.h>

#include "selftest.hpp"

namespace selftest {
namespace {

void check(cudnnStatus_t status, const char* what) {
  if (status != CUDNN_STATUS_SUCCESS) {
    throw opgate::Error(opgate::ErrorKind::cuda, std::string(what) + ": " + cudnnGetErrorString(status));
  }
}

class Cudnn final : public Form {
 public:
  ~Cudnn() override {
    if (tensor_ != nullptr) {
      cudnnDestroyTensorDescriptor(tensor_);
    }
    if (handle_ != nullptr) {
      cudnnDestroy(handle_);
    }
  }
  void set_up(const opgate::Call& call) override {
    constexpr int kColumns = 512;
    check(cudnnCreate(&handle_), "cudnnCreate");
    check(cudnnSetStream(handle_, call.stream), "cudnnSetStream");
    check(cudnnCreateTensorDescriptor(&tensor_), "cudnnCreateTensorDescriptor");
    check(cudnnSetTensor4dDescriptor(tensor_, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1,
                                     static_cast<int>(size_of(call) / kColumns), kColumns),
          "cudnnSetTensor4dDescriptor");
  }
  void run(const opgate::Call& call, bool) override {
    const float two = 2.0F;
    const float none = 0.0F;
    check(cudnnTransformTensor(handle_, &two, tensor_, call.in["x"].data, &none, tensor_, call.out["y"].data),
          "cudnnTransformTensor");
  }

 private:
  cudnnHandle_t handle_ = nullptr;
  cudnnTensorDescriptor_t tensor_ = nullptr;
};

const Registered kCudnn{"cudnn", made<Cudnn>};

}  // namespace
}  // namespace selftest
