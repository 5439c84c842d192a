// A kernel that launches another one: CUPTI has no record of the second, which runs all the same.
#include <opgate/cuda.cuh>
#include <opgate/op.hpp>

namespace {

constexpr int kThreads = 256;

unsigned blocks(std::int64_t n) {
  return static_cast<unsigned>((n + kThreads - 1) / kThreads);
}

__global__ void child(const float* x, float* y, std::int64_t n) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = 2.0F * x[i];
  }
}

__global__ void parent(const float* x, float* y, std::int64_t n, unsigned grid) {
  child<<<grid, kThreads>>>(x, y, n);
}

__global__ void reference(const float* x, double* y, std::int64_t n) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = 2.0 * static_cast<double>(x[i]);
  }
}

class DeviceLaunch : public opgate::Op {
 public:
  void run(const opgate::Call& call) override {
    const std::int64_t n = call.workload.dim("n");
    parent<<<1, 1, 0, call.stream>>>(call.in["x"].as<float>(), call.out["y"].as<float>(), n, blocks(n));
    OPGATE_LAUNCHED();
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
