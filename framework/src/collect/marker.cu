#include "collect/marker.hpp"

#include <cstdint>

#include "opgate/cuda.cuh"

namespace opgate::collect {
namespace {

constexpr std::size_t kHalf = 8192;  // room for each side of the copy

__global__ void opgate_marker_kernel(unsigned char* data) {
  data[0] = 0;
}

}  // namespace

Marker::Marker() {
  constexpr unsigned kSince = 3020;  // cuMemsetD8Async came with CUDA 3.2
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
  OPGATE_CUDA(cudaGetDriverEntryPointByVersion("cuMemsetD8Async", &found, kSince, cudaEnableDefault, &result));
  if (result != cudaDriverEntryPointSuccess || found == nullptr) {
    throw Error(ErrorKind::cuda, "the driver has no cuMemsetD8Async", "tracing", "update the NVIDIA driver");
  }
  driver_memset_ = reinterpret_cast<DriverMemset>(found);
  OPGATE_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  OPGATE_CUDA(cudaMalloc(&scratch_, 2 * kHalf));
}

Marker::~Marker() {
  cudaFree(scratch_);
  cudaStreamDestroy(stream_);
}

void Marker::launch() {
  auto* const bytes = static_cast<unsigned char*>(scratch_);
  opgate_marker_kernel<<<1, 1, 0, stream_>>>(bytes);
  OPGATE_LAUNCHED();
  OPGATE_CUDA(cudaMemsetAsync(bytes, 0, kMarkerMemsetBytes, stream_));
  OPGATE_CUDA(cudaMemcpyAsync(bytes + kHalf, bytes, kMarkerCopyBytes, cudaMemcpyDeviceToDevice, stream_));
  if (driver_memset_(reinterpret_cast<std::uintptr_t>(bytes), 0, kMarkerDriverBytes, stream_) != 0) {
    throw Error(ErrorKind::cuda, "cuMemsetD8Async failed", "tracing");
  }
}

void Marker::launch_graph() {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  OPGATE_CUDA(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < kMarkerGraphKernels; ++i) {
    opgate_marker_kernel<<<1, 1, 0, stream_>>>(static_cast<unsigned char*>(scratch_));
  }
  OPGATE_CUDA(cudaStreamEndCapture(stream_, &graph));
  OPGATE_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  OPGATE_CUDA(cudaGraphLaunch(executable, stream_));
  OPGATE_CUDA(cudaStreamSynchronize(stream_));
  OPGATE_CUDA(cudaGraphExecDestroy(executable));
  OPGATE_CUDA(cudaGraphDestroy(graph));
}

}  // namespace opgate::collect
