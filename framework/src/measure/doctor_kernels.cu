#include <opgate/cuda.cuh>

#include "measure/doctor_kernels.hpp"

namespace opgate::measure {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kVectorsPerThread = 4;

__device__ std::int64_t timer_ns() {
  unsigned long long now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return static_cast<std::int64_t>(now);
}

__global__ void timed(std::int64_t time_ns) {
  const std::int64_t start = timer_ns();
  while (timer_ns() - start < time_ns) {
  }
}

// The ring ends where it began, so the store never happens; the compiler cannot know and keeps every load.
__global__ void chase(std::uint32_t* next, int steps) {
  std::uint32_t at = 0;
  for (int i = 0; i < steps; ++i) at = __ldcg(next + at);
  if (at != 0) next[0] = at;
}

__global__ void copy(const uint4* from, uint4* to, std::size_t vectors) {
  const std::size_t first = std::size_t{blockIdx.x} * kThreads * kVectorsPerThread + threadIdx.x;
#pragma unroll
  for (unsigned i = 0; i < kVectorsPerThread; ++i) {
    if (const std::size_t at = first + std::size_t{i} * kThreads; at < vectors) to[at] = from[at];
  }
}

}  // namespace

void launch_timed(std::int64_t time_ns, Stream stream) {
  timed<<<kTimedBlocks, kTimedThreads, 0, stream>>>(time_ns);
  OPGATE_LAUNCHED();
}

const void* timed_kernel() {
  return reinterpret_cast<const void*>(&timed);
}

void launch_chase(std::uint32_t* next, int steps, Stream stream) {
  chase<<<1, 1, 0, stream>>>(next, steps);
  OPGATE_LAUNCHED();
}

void launch_copy(const void* from, void* to, std::size_t bytes, Stream stream) {
  const std::size_t vectors = bytes / sizeof(uint4);
  constexpr std::size_t kPerBlock = std::size_t{kThreads} * kVectorsPerThread;
  copy<<<static_cast<unsigned>((vectors + kPerBlock - 1) / kPerBlock), kThreads, 0, stream>>>(
      static_cast<const uint4*>(from), static_cast<uint4*>(to), vectors);
  OPGATE_LAUNCHED();
}

}  // namespace opgate::measure
