#pragma once

#include <cstdint>

// A test of the gate needs an op that is slower by a known share of its own work. ops/CMakeLists.txt defines
// OPGATE_SLOW_PERCENT (OPGATE_TEST_SLOW_PERCENT, 10) for the op named by OPGATE_TEST_SLOW_OP; it is 0 in every other
// build, and then nothing here generates code. An op opts in by using it: longer loops (extra_steps), blocks that stay
// longer (stretch), or more blocks (slow_extra_blocks).
#ifndef OPGATE_SLOW_PERCENT
#define OPGATE_SLOW_PERCENT 0
#endif

namespace ops {

inline constexpr int kSlowPercent = OPGATE_SLOW_PERCENT;
inline constexpr unsigned kSlowMultiprocessors = 132;  // of an H200, for which the slow builds are tuned

// Steps to add to a loop of `steps`. Fewer than asked for: those of a tile run first, while nothing it needs is in L2,
// and cost more than a usual step. Tuned for 10 % and loops of 32 steps and more, so that on an H200 each nightly case
// of gemm takes 8 to 12 % more cycles; the 0.695 of a step lets loops of 64 and of 112 steps both come out right.
__host__ __device__ constexpr int extra_steps(int steps) {
  return kSlowPercent == 0 ? 0 : (steps * kSlowPercent * 83 + 6950) / 10000;
}

// Uses `value` in a way no compiler can drop; tensor-core and f32 arithmetic never produce this NaN.
template <class T>
__device__ void keep(float value, T* sink) {
  if (__float_as_uint(value) == 0x7FC0DEADU) *sink = static_cast<T>(value);
}

// Same value in every lane, so that a warp leaves a loop as one.
__device__ inline long long warp_clock() {
  return __shfl_sync(0xFFFFFFFFU, clock64(), 0);
}

__device__ inline long long slow_start() {
  if constexpr (kSlowPercent > 0) return warp_clock();
  return 0;
}

// Repeats `again`, a small piece of the kernel's own work, until kSlowPercent of the time since `start` has passed once
// more. For kernels whose blocks all live from the kernel's start to its end, or in even rounds. Called by whole warps,
// each of which counts for itself: `again` waits for no other.
template <class Again>
__device__ void stretch([[maybe_unused]] long long start, [[maybe_unused]] Again&& again) {
  if constexpr (kSlowPercent > 0) {
    // Launch and drain, about 0.6 us at 1980 MHz on an H200, are part of a kernel's record but not of its blocks.
    constexpr long long kLaunchCycles = 1500;
    long long now = warp_clock();
    const long long until = now + (now - start + kLaunchCycles) * kSlowPercent / 100;
    long long step = 0;
    for (int pass = 0; now + step / 2 < until; ++pass) {
      again(pass);
      const long long then = warp_clock();
      step = then - now;
      now = then;
    }
  }
}

// For kernels with many more blocks than fit at once, limited by memory: kPercent more blocks, which do the work of
// others once more. Block `block` of a grid with slow_extra_blocks() does that of the result; a repeated one lies far
// from its neighbours in time, so that its bytes have mostly left the caches. A grid too small for that is stretched.
inline constexpr unsigned kFewBlocks = 8 * kSlowMultiprocessors;  // resident at once
inline constexpr unsigned kSlowSpread = kSlowPercent > 0 && kSlowPercent < 100
                                            ? 100U / (kSlowPercent > 0 ? kSlowPercent : 1)
                                            : 1;

__host__ __device__ constexpr bool slow_in_place([[maybe_unused]] unsigned blocks) {
  return kSlowPercent > 0 && blocks <= kFewBlocks;
}
__host__ __device__ constexpr unsigned slow_extra_blocks(unsigned blocks) {
  if (kSlowPercent == 0 || blocks <= kFewBlocks) return 0;
  return static_cast<unsigned>((std::uint64_t{blocks} * kSlowPercent + 50) / 100);
}
__device__ constexpr std::int64_t slow_block(unsigned block, [[maybe_unused]] unsigned blocks) {
  if constexpr (kSlowPercent == 0) return block;
  return block < blocks ? block : std::int64_t{block - blocks} * kSlowSpread % blocks;
}

}  // namespace ops
