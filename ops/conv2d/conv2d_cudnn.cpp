#include <cudnn.h>

#include <algorithm>
#include <array>
#include <string>

#include "../device_memory.hpp"
#include "conv_shape.hpp"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::conv2d {
namespace {

void check(cudnnStatus_t status, const char* call, const opgate::Workload& workload) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  throw opgate::Error(opgate::ErrorKind::cuda, std::string(call) + ": " + cudnnGetErrorString(status),
                      workload.case_name(), "check that cuDNN is the one that the op was built with");
}

// The fastest implicit gemm by cuDNN's own estimate. Its transforming algorithms round more than the error bound
// allows.
class CudnnConv2d final : public opgate::Op {
 public:
  ~CudnnConv2d() override {
    // A destructor cannot report; whatever broke the context has been reported by the call that did.
    if (convolution_ != nullptr) static_cast<void>(cudnnDestroyConvolutionDescriptor(convolution_));
    if (filter_ != nullptr) static_cast<void>(cudnnDestroyFilterDescriptor(filter_));
    if (x_ != nullptr) static_cast<void>(cudnnDestroyTensorDescriptor(x_));
    if (y_ != nullptr) static_cast<void>(cudnnDestroyTensorDescriptor(y_));
    if (handle_ != nullptr) static_cast<void>(cudnnDestroy(handle_));
  }

  void set_up(const opgate::Call& call) override {
    const opgate::Workload& w = call.workload;
    check(cudnnCreate(&handle_), "cudnnCreate", w);
    check(cudnnSetStream(handle_, call.stream), "cudnnSetStream", w);
    stream_ = call.stream;
    describe(w);
    choose(w);
    check(cudnnGetConvolutionForwardWorkspaceSize(handle_, x_, filter_, convolution_, y_, algorithm_, &bytes_),
          "cudnnGetConvolutionForwardWorkspaceSize", w);
    workspace_.allocate(bytes_);
  }

  void run(const opgate::Call& call) override {
    if (call.stream != stream_) {
      check(cudnnSetStream(handle_, call.stream), "cudnnSetStream", call.workload);
      stream_ = call.stream;
    }
    const float one = 1.0F;
    const float zero = 0.0F;
    check(cudnnConvolutionForward(handle_, &one, x_, call.in["x"].data, filter_, call.in["filter"].data, convolution_,
                                  algorithm_, workspace_.as<void>(), bytes_, &zero, y_, call.out["y"].data),
          "cudnnConvolutionForward", call.workload);
  }

 private:
  void describe(const opgate::Workload& w) {
    const Shape shape = shape_of(w);
    require(w.dtype == opgate::DType::f16 || w.dtype == opgate::DType::bf16, w, "cuDNN: no descriptor for this dtype",
            "remove the dtype from the spec, or map it here");
    const cudnnDataType_t type = w.dtype == opgate::DType::f16 ? CUDNN_DATA_HALF : CUDNN_DATA_BFLOAT16;
    check(cudnnCreateTensorDescriptor(&x_), "cudnnCreateTensorDescriptor", w);
    check(cudnnCreateTensorDescriptor(&y_), "cudnnCreateTensorDescriptor", w);
    check(cudnnCreateFilterDescriptor(&filter_), "cudnnCreateFilterDescriptor", w);
    check(cudnnCreateConvolutionDescriptor(&convolution_), "cudnnCreateConvolutionDescriptor", w);
    check(cudnnSetTensor4dDescriptor(x_, CUDNN_TENSOR_NHWC, type, shape.batch, shape.c, shape.h, shape.w),
          "cudnnSetTensor4dDescriptor", w);
    check(cudnnSetTensor4dDescriptor(y_, CUDNN_TENSOR_NHWC, type, shape.batch, shape.filters, shape.p, shape.q),
          "cudnnSetTensor4dDescriptor", w);
    check(cudnnSetFilter4dDescriptor(filter_, type, CUDNN_TENSOR_NHWC, shape.filters, shape.c, shape.r, shape.s),
          "cudnnSetFilter4dDescriptor", w);
    check(cudnnSetConvolution2dDescriptor(convolution_, shape.pad, shape.pad, shape.stride, shape.stride, 1, 1,
                                          CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
          "cudnnSetConvolution2dDescriptor", w);
    check(cudnnSetConvolutionMathType(convolution_, CUDNN_TENSOR_OP_MATH), "cudnnSetConvolutionMathType", w);
  }

  // Results come the fastest first.
  void choose(const opgate::Workload& w) {
    std::array<cudnnConvolutionFwdAlgoPerf_t, CUDNN_CONVOLUTION_FWD_ALGO_COUNT> results{};
    int found = 0;
    check(cudnnGetConvolutionForwardAlgorithm_v7(handle_, x_, filter_, convolution_, y_,
                                                 static_cast<int>(results.size()), &found, results.data()),
          "cudnnGetConvolutionForwardAlgorithm_v7", w);
    const auto last = results.begin() + found;
    const auto best = std::find_if(results.begin(), last, [](const cudnnConvolutionFwdAlgoPerf_t& result) {
      return result.status == CUDNN_STATUS_SUCCESS && (result.algo == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM ||
                                                       result.algo == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM);
    });
    require(best != last, w, "cuDNN has no implicit gemm for this shape",
            "change the shape, or take cudnn out of the spec");
    algorithm_ = best->algo;
    check(cudnnSetConvolutionMathType(convolution_, best->mathType), "cudnnSetConvolutionMathType", w);
  }

  cudnnHandle_t handle_ = nullptr;
  cudnnTensorDescriptor_t x_ = nullptr;
  cudnnTensorDescriptor_t y_ = nullptr;
  cudnnFilterDescriptor_t filter_ = nullptr;
  cudnnConvolutionDescriptor_t convolution_ = nullptr;
  cudnnConvolutionFwdAlgo_t algorithm_ = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
  opgate::Stream stream_ = nullptr;
  std::size_t bytes_ = 0;
  DeviceMemory workspace_;
};

OPGATE_LIBRARY(conv2d, "cudnn", CudnnConv2d)

}  // namespace
}  // namespace ops::conv2d
