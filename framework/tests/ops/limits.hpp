#pragma once

namespace ops::tests {

// Bytes of an element.
inline constexpr int kBf16 = 2;
inline constexpr int kF32 = 4;
inline constexpr int kMostShared = 232448;  // of a block, and 1 KiB more of an SM, on compute capability 9.0

}  // namespace ops::tests
