#pragma once

#include <cstdint>

namespace ops {

// kCount values that are loaded and stored as one, at most 16 bytes.
template <class T, int kCount>
struct alignas(sizeof(T) * kCount) Vector {
  T value[kCount];
};

// How many T fill 16 bytes.
template <class T>
inline constexpr int kFullVector = 16 / static_cast<int>(sizeof(T));

}  // namespace ops
