#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace ops {

template <int kBytes>
struct Words;
template <>
struct Words<16> {
  using type = uint4;
};
template <>
struct Words<8> {
  using type = uint2;
};
template <>
struct Words<4> {
  using type = std::uint32_t;
};
template <>
struct Words<2> {
  using type = std::uint16_t;
};
template <>
struct Words<1> {
  using type = std::uint8_t;
};

// kCount values that are loaded and stored as one word. The word, not an array of T, is what gets copied: nvcc copies
// an array of __nv_bfloat16 element by element, at twice the time of the same kernel in f16.
template <class T, int kCount>
struct Vector {
  typename Words<static_cast<int>(sizeof(T)) * kCount>::type word;

  [[nodiscard]] __device__ T get(int i) const { return reinterpret_cast<const T*>(&word)[i]; }
  __device__ void set(int i, T value) { reinterpret_cast<T*>(&word)[i] = value; }
};

// How many T fill 16 bytes.
template <class T>
inline constexpr int kFullVector = 16 / static_cast<int>(sizeof(T));

}  // namespace ops
