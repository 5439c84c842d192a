// A kernel that launches another one: CUPTI has no record of the second, which runs all the same.
#include <opgate/cuda.cuh>
#include <opgate/op.hpp>

namespace {

constexpr int kThreads = 256;

unsigned blocks(std::int64_t n) {
  return static_cast<unsigned>((n + kThreads - 1) / kThreads);
}

__global__ void child(const float* x, float* y, std::int64_t n, std::int64_t cycles) {
  const std::int64_t start = clock64();
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = 2.0F * x[i];
  }
  while (clock64() - start < cycles) {
  }
}

__global__ void parent(const float* x, float* y, std::int64_t n, unsigned grid, std::int64_t cycles) {
  child<<<grid, kThreads>>>(x, y, n, cycles);
}

__global__ void reference(const float* x, double* y, std::int64_t n) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = 2.0 * static_cast<double>(x[i]);
  }
}

// What the call does after its launch: nothing, or what waits for the device. Then the child takes some 300 us (16
// waves of blocks), far more than a host may be late by.
class DeviceLaunch : public opgate::Op {
 public:
  void run(const opgate::Call& call) override {
    constexpr std::int64_t kCycles = 40'000;
    const bool synchronises = call.workload.name == "child-synchronises";
    const bool frees = call.workload.name == "child-frees";
    const std::int64_t n = call.workload.dim("n");
    void* scratch = nullptr;
    if (frees) {
      OPGATE_CUDA(cudaMalloc(&scratch, std::size_t{512} << 20U));
    }
    parent<<<1, 1, 0, call.stream>>>(call.in["x"].as<float>(), call.out["y"].as<float>(), n, blocks(n),
                                     synchronises || frees ? kCycles : 0);
    OPGATE_LAUNCHED();
    if (synchronises) {
      OPGATE_CUDA(cudaStreamSynchronize(call.stream));
    }
    if (frees) {
      OPGATE_CUDA(cudaFree(scratch));
    }
  }
};

void expect(const opgate::Call& call) {
  const std::int64_t n = call.workload.dim("n");
  reference<<<blocks(n), kThreads, 0, call.stream>>>(call.in["x"].as<float>(), call.out["y"].as<double>(), n);
  OPGATE_LAUNCHED();
}

}  // namespace

OPGATE_OP(selftest_device, DeviceLaunch)
OPGATE_REFERENCE(selftest_device, expect)
