#include "measure/device_ops.hpp"

#include <string>

#include "opgate/cuda.cuh"

namespace opgate::measure {
namespace {

__global__ void spin_kernel(std::int64_t cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

constexpr unsigned kFlushThreads = 512;
constexpr int kLoadsInFlight = 8;

// The buffer holds zeros, so the store never happens; the compiler cannot know and keeps every load.
__global__ void __launch_bounds__(kFlushThreads) flush_kernel(uint4* data, std::size_t vectors) {
  const std::size_t step = std::size_t{gridDim.x} * kFlushThreads;
  unsigned seen = 0;
  std::size_t i = std::size_t{blockIdx.x} * kFlushThreads + threadIdx.x;
  for (; i + (kLoadsInFlight - 1) * step < vectors; i += kLoadsInFlight * step) {
    uint4 value[kLoadsInFlight];
#pragma unroll
    for (int j = 0; j < kLoadsInFlight; ++j) value[j] = __ldcg(data + i + static_cast<std::size_t>(j) * step);
#pragma unroll
    for (int j = 0; j < kLoadsInFlight; ++j) seen |= value[j].x | value[j].y | value[j].z | value[j].w;
  }
  for (; i < vectors; i += step) {
    const uint4 value = __ldcg(data + i);
    seen |= value.x | value.y | value.z | value.w;
  }
  if (seen != 0) data[0].x = seen;
}

}  // namespace

void launch_spin(std::int64_t cycles, Stream stream) {
  spin_kernel<<<1, 1, 0, stream>>>(cycles);
  OPGATE_LAUNCHED();
}

DeviceArray::DeviceArray(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  const cudaError_t status = cudaMalloc(&data_, bytes);
  if (status != cudaSuccess) {
    throw_cuda(status, ("cudaMalloc of " + std::to_string(bytes) + " bytes").c_str(), __FILE__, __LINE__);
  }
}

DeviceArray::~DeviceArray() {
  // A destructor cannot report; a context that is already broken has been reported by the call that broke it.
  if (data_ != nullptr) static_cast<void>(cudaFree(data_));
}

FlushBuffer::FlushBuffer() {
  int device = 0;
  int l2_bytes = 0;
  int multiprocessors = 0;
  OPGATE_CUDA(cudaGetDevice(&device));
  OPGATE_CUDA(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, device));
  OPGATE_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  array_ = DeviceArray(2 * static_cast<std::size_t>(l2_bytes));
  blocks_ = 4 * static_cast<unsigned>(multiprocessors);
  memset(nullptr);
  OPGATE_CUDA(cudaStreamSynchronize(nullptr));
}

void FlushBuffer::read(Stream stream) const {
  flush_kernel<<<blocks_, kFlushThreads, 0, stream>>>(static_cast<uint4*>(array_.data()),
                                                      array_.bytes() / sizeof(uint4));
  OPGATE_LAUNCHED();
}

void FlushBuffer::memset(Stream stream) const {
  OPGATE_CUDA(cudaMemsetAsync(array_.data(), 0, array_.bytes(), stream));
}

}  // namespace opgate::measure
