#pragma once

#include "../block_reduce.cuh"

// What a chunk tells those after it, flag and value in one word that is written and read at once. A flag counts in one
// call only, whose number is part of it: what an earlier call left means nothing, and nothing has to be cleared.
namespace ops::cumsum {

using State = unsigned long long;
inline constexpr unsigned kOwnSum = 0;  // of the chunk's own elements
inline constexpr unsigned kPrefix = 1;  // of the row up to the chunk's end
inline constexpr unsigned kFlags = 2;

template <class T>
__device__ State state_of(unsigned flag, T value) {
  static_assert(sizeof(T) == 4);
  return State{flag} << 32U | *reinterpret_cast<const unsigned*>(&value);
}
__device__ inline unsigned flag_of(State state) {
  return static_cast<unsigned>(state >> 32U);
}
template <class T>
__device__ T value_of(State state) {
  const auto bits = static_cast<unsigned>(state);
  return *reinterpret_cast<const T*>(&bits);
}

__device__ inline State read_state(const State* from) {
  return *reinterpret_cast<const volatile State*>(from);
}
__device__ inline void write_state(State* to, State state) {
  *reinterpret_cast<volatile State*>(to) = state;
}

enum class Window {
  whole,    // all of its states are waited for: few branches
  nearest,  // those up to the nearest prefix
};

// By one warp: the sum of the row's chunks before `chunk`. A window of 32 states at a time, back to the nearest one
// that knows its prefix (Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016).
// Blocks start in the order of their indices, so those waited for are running or done.
template <Window kWindow, unsigned kPauseNs, class T>
__device__ T look_back(const State* own_state, int chunk, unsigned call) {
  const auto lane = static_cast<int>(threadIdx.x);
  T sum = 0;
  for (int at = chunk - 1 - lane;; at -= kWarpThreads) {
    State state = state_of(call + kPrefix, T{0});  // before the row's begin
    int nearest = kWarpThreads;                    // the lane of that prefix
    if constexpr (kWindow == Window::whole) {
      if (at >= 0) {
        if constexpr (kPauseNs > 0) __nanosleep(kPauseNs);
        do {
          state = read_state(own_state - (chunk - at));
        } while (flag_of(state) - call >= kFlags);
      }
      const unsigned known = __ballot_sync(0xFFFFFFFFU, flag_of(state) == call + kPrefix);
      if (known != 0) nearest = __ffs(static_cast<int>(known)) - 1;
    } else {
      for (;;) {
        if (at >= 0) state = read_state(own_state - (chunk - at));
        const unsigned known = __ballot_sync(0xFFFFFFFFU, flag_of(state) == call + kPrefix);
        const unsigned unknown = __ballot_sync(0xFFFFFFFFU, flag_of(state) - call >= kFlags);
        if (known != 0) nearest = __ffs(static_cast<int>(known)) - 1;
        if (unknown == 0 || __ffs(static_cast<int>(unknown)) - 1 > nearest) break;
        if constexpr (kPauseNs > 0) __nanosleep(kPauseNs);
      }
    }
    T mine = lane <= nearest ? value_of<T>(state) : T{0};
#pragma unroll
    for (int offset = kWarpThreads / 2; offset > 0; offset /= 2) mine += __shfl_xor_sync(0xFFFFFFFFU, mine, offset);
    sum += mine;
    if (nearest < kWarpThreads) return sum;
  }
}

}  // namespace ops::cumsum
