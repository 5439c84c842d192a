#pragma once

#include <chrono>
#include <cstdint>

namespace opgate::run {

// The one clock of stored times. It may step; durations are taken from steady_clock.
[[nodiscard]] inline std::int64_t unix_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace opgate::run
