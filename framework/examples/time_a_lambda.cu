// Times a lambda by the method, without a spec, a history or CTest.
#include <cstdio>
#include <opgate/bench.hpp>
#include <opgate/cuda.cuh>

__global__ void scale(float* x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] *= 1.5F;
}

int main() {
  float* x = nullptr;
  OPGATE_CUDA(cudaMalloc(&x, 262144 * sizeof(float)));
  const auto samples = opgate::bench([&](opgate::Stream stream) { scale<<<1024, 256, 0, stream>>>(x); });
  for (const opgate::Sample& sample : samples) {
    std::printf("%lld ns\n", static_cast<long long>(sample.busy_ns));
  }
  std::printf("median of %zu: %.0f ns\n", samples.size(), samples.median_busy_ns());
}
