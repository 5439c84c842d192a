#pragma once

#include <cstddef>

namespace opgate::exchange {

// About 1 GiB as parsed; some 10,000 states of NVBench.
inline constexpr std::size_t kMostJsonValues = 4'000'000;

}  // namespace opgate::exchange
