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

__device__ __forceinline__ std::uint32_t part(const uint4& word, int i) {
  return i == 0 ? word.x : i == 1 ? word.y : i == 2 ? word.z : word.w;
}
__device__ __forceinline__ std::uint32_t part(const uint2& word, int i) {
  return i == 0 ? word.x : word.y;
}
template <class Word>
__device__ __forceinline__ std::uint32_t part(const Word& word, int) {
  return word;
}
__device__ __forceinline__ void set_part(uint4& word, int i, std::uint32_t bits) {
  (i == 0 ? word.x : i == 1 ? word.y : i == 2 ? word.z : word.w) = bits;
}
__device__ __forceinline__ void set_part(uint2& word, int i, std::uint32_t bits) {
  (i == 0 ? word.x : word.y) = bits;
}
template <class Word>
__device__ __forceinline__ void set_part(Word& word, int, std::uint32_t bits) {
  word = static_cast<Word>(bits);
}

// kCount values that are loaded and stored as one word. Values are shifted out of it and into it: an array of T, or a
// pointer to T into the word, makes nvcc keep whole rows of vectors in local memory, at up to four times the time.
template <class T, int kCount>
struct Vector {
  typename Words<static_cast<int>(sizeof(T)) * kCount>::type word;

  [[nodiscard]] __device__ __forceinline__ T get(int i) const {
    const std::uint32_t bits = part(word, i / kPerPart) >> (i % kPerPart * kBits);
    if constexpr (sizeof(T) == 4) {
      return *reinterpret_cast<const T*>(&bits);
    } else {
      const auto own = static_cast<typename Words<sizeof(T)>::type>(bits);
      return *reinterpret_cast<const T*>(&own);
    }
  }

  // In rising order: the first value of 32 bits clears what follows it there.
  __device__ __forceinline__ void set(int i, T value) {
    const std::uint32_t bits = *reinterpret_cast<const typename Words<sizeof(T)>::type*>(&value);
    const int place = i % kPerPart;
    set_part(word, i / kPerPart, place == 0 ? bits : part(word, i / kPerPart) | (bits << (place * kBits)));
  }

 private:
  static constexpr int kPerPart = 4 / static_cast<int>(sizeof(T));  // of 32 bits
  static constexpr int kBits = 8 * static_cast<int>(sizeof(T));
};

// How many T fill 16 bytes.
template <class T>
inline constexpr int kFullVector = 16 / static_cast<int>(sizeof(T));

}  // namespace ops
