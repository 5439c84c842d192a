#pragma once

#include <cstdint>

namespace opgate::collect {

// A different value for each of the first 2^32 - 1 phases of a process, never 0. The seed makes an id that the op
// itself pushed, or one left over from another process's trace, unlikely to look like one of ours.
class NonceSequence {
 public:
  explicit constexpr NonceSequence(std::uint64_t seed) : state_(static_cast<std::uint32_t>(seed ^ (seed >> 32U))) {}

  constexpr std::uint32_t next() {
    // An odd step visits every 32-bit value once before it repeats.
    state_ += kStep;
    if (state_ == 0) state_ += kStep;
    return state_;
  }

 private:
  static constexpr std::uint32_t kStep = 0x9e37'79b1U;
  std::uint32_t state_;
};

}  // namespace opgate::collect
