#include "selftest.hpp"

namespace selftest {
namespace {

constexpr int kThreads = 256;

__device__ void scale_element(const float* x, float* y, std::int64_t begin, std::int64_t end) {
  const std::int64_t i = begin + static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < end) {
    y[i] = 2.0F * x[i];
  }
}

__global__ void scale_kernel(const float* x, float* y, std::int64_t begin, std::int64_t end) {
  scale_element(x, y, begin, end);
}

// Launched late, so that its first launch loads it.
__global__ void late_kernel(const float* x, float* y, std::int64_t begin, std::int64_t end) {
  scale_element(x, y, begin, end);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define OPGATE_SELFTEST_CLUSTER __cluster_dims__(2, 1, 1)
#else
#define OPGATE_SELFTEST_CLUSTER
#endif
__global__ void OPGATE_SELFTEST_CLUSTER clustered_kernel(const float* x, float* y, std::int64_t begin,
                                                         std::int64_t end) {
  scale_element(x, y, begin, end);
}

__global__ void strided_kernel(const float* x, float* y, std::int64_t begin, std::int64_t end) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = begin + static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < end; i += step) {
    y[i] = 2.0F * x[i];
  }
}

__global__ void spin_kernel(std::int64_t cycles) {
  const std::int64_t start = clock64();
  while (clock64() - start < cycles) {
  }
}

}  // namespace

const void* address_of(Kernel kernel) {
  switch (kernel) {
    case Kernel::strided:
      return reinterpret_cast<const void*>(&strided_kernel);
    case Kernel::clustered:
      return reinterpret_cast<const void*>(&clustered_kernel);
    case Kernel::late:
      return reinterpret_cast<const void*>(&late_kernel);
    default:
      return reinterpret_cast<const void*>(&scale_kernel);
  }
}

Launch::Launch(const opgate::Call& call, std::int64_t from, std::int64_t to)
    : x(call.in["x"].as<float>()),
      y(call.out["y"].as<float>()),
      begin(from),
      end(to),
      grid(static_cast<unsigned>((to - from + kThreads - 1) / kThreads)),
      block(kThreads) {}

void scale(const opgate::Call& call, std::int64_t begin, std::int64_t end, cudaStream_t stream) {
  const Launch launch(call, begin, end);
  scale_kernel<<<launch.grid, launch.block, 0, stream>>>(launch.x, launch.y, begin, end);
  OPGATE_LAUNCHED();
}

void scale_all(const opgate::Call& call, Kernel kernel, cudaStream_t stream) {
  const Launch all(call, 0, size_of(call));
  switch (kernel) {
    case Kernel::strided:
      strided_kernel<<<strided_grid(), all.block, 0, stream>>>(all.x, all.y, all.begin, all.end);
      break;
    case Kernel::clustered:
      clustered_kernel<<<all.grid, all.block, 0, stream>>>(all.x, all.y, all.begin, all.end);
      break;
    case Kernel::late:
      late_kernel<<<all.grid, all.block, 0, stream>>>(all.x, all.y, all.begin, all.end);
      break;
    default:
      scale_kernel<<<all.grid, all.block, 0, stream>>>(all.x, all.y, all.begin, all.end);
  }
  OPGATE_LAUNCHED();
}

void scale_parts(const opgate::Call& call, int parts) {
  const std::int64_t n = size_of(call);
  for (int part = 0; part < parts; ++part) {
    scale(call, n * part / parts, n * (part + 1) / parts, call.stream);
  }
}

void spin(std::int64_t cycles, cudaStream_t stream) {
  spin_kernel<<<1, 1, 0, stream>>>(cycles);
  OPGATE_LAUNCHED();
}

dim3 strided_grid() {
  int device = 0;
  int processors = 0;
  OPGATE_CUDA(cudaGetDevice(&device));
  OPGATE_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  return dim3(static_cast<unsigned>(processors * 4));  // all resident at once, as a cooperative launch needs
}

std::int64_t size_of(const opgate::Call& call) {
  return call.workload.dim("n");
}

}  // namespace selftest
