#include <opgate/cuda.cuh>

#include "measure/probe_kernels.hpp"

namespace opgate::measure {
namespace {

constexpr int kThreads = 256;

// Bound by launch and memory latency: a megabyte is less than one round trip of all SMs.
__global__ void elementwise(float* y, std::int64_t n) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] += 1.0F;
  }
}

// 15 us at 1980 MHz: long enough for an edge's error of a few cycles to vanish, short beside a flush.
constexpr long long kProbeCycles = 30'000;

__device__ unsigned long long timer_edge() {
  unsigned long long before = 0;
  unsigned long long now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(before));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now == before);
  return now;
}

__global__ void clock_probe(std::int64_t* cycles_and_ns) {
  const unsigned long long first_edge = timer_edge();
  const long long first_clock = clock64();
  while (clock64() - first_clock < kProbeCycles) {
  }
  const unsigned long long last_edge = timer_edge();
  const long long last_clock = clock64();
  cycles_and_ns[0] = last_clock - first_clock;
  cycles_and_ns[1] = static_cast<std::int64_t>(last_edge - first_edge);
}

}  // namespace

void launch_clock_probe(std::int64_t* cycles_and_ns, Stream stream) {
  clock_probe<<<1, 1, 0, stream>>>(cycles_and_ns);
  OPGATE_LAUNCHED();
}

void launch_elementwise(float* y, std::int64_t n, Stream stream, int times) {
  const auto blocks = static_cast<unsigned>((n + kThreads - 1) / kThreads);
  for (int i = 0; i < times; ++i) elementwise<<<blocks, kThreads, 0, stream>>>(y, n);
  OPGATE_LAUNCHED();
}

}  // namespace opgate::measure
