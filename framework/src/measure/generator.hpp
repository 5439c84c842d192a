#pragma once

#include <cstdint>

namespace opgate::measure {

// Names the generator of fill_input (tensor_bytes.hpp); change it whenever the values change.
inline constexpr const char* kGenerator = "splitmix64-uniform-1";

// The timing inputs are part of a case's identity: other values change power and so time (a GEMM runs 13 % faster on
// zeros). The check after timing uses values that no earlier call can have seen.
inline constexpr std::uint64_t kTimingSeed = 0;
inline constexpr std::uint64_t kRecheckSeed = 1;

}  // namespace opgate::measure
