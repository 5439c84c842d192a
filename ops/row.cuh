#pragma once

#include <algorithm>
#include <cstdint>

#include "block_reduce.cuh"
#include "extent.hpp"
#include "opgate/cuda.cuh"
#include "vector.cuh"

// Ops that give a block a row.
namespace ops {

inline constexpr int kHeldVectors = 4;  // of a row that a thread keeps in registers, so that most rows are read once
inline constexpr int kMaxRowThreads = 512;
inline constexpr int kMaxRowWarps = kMaxRowThreads / kWarpThreads;
inline constexpr int kWarpRows = 8;    // rows of a block when one warp does a row
inline constexpr int kManyRows = 264;  // two for each of 132 SMs

// A thread's share of a row: vectors threadIdx.x, threadIdx.x + blockDim.x, ...; what is not held is read again by
// every each(), and then mostly comes from L2.
template <class T, int kCount, int kHeld = kHeldVectors>
class HeldRow {
 public:
  using V = Vector<T, kCount>;

  __device__ HeldRow(const T* row, int vectors) : row_(reinterpret_cast<const V*>(row)), vectors_(vectors) {
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
      if (const int v = at(i); v < vectors_) held_[i] = row_[v];
    }
  }

  // body(index of the vector in the row, vector)
  template <class Body>
  __device__ void each(Body&& body) const {
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
      if (const int v = at(i); v < vectors_) body(v, held_[i]);
    }
#pragma unroll 4
    for (int v = at(kHeld); v < vectors_; v += static_cast<int>(blockDim.x)) body(v, row_[v]);
  }

  // body(index of the vector in the row, vector, the vector of `other` at that index)
  template <class Body>
  __device__ void each_with(const HeldRow& other, Body&& body) const {
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
      if (const int v = at(i); v < vectors_) body(v, held_[i], other.held_[i]);
    }
    for (int v = at(kHeld); v < vectors_; v += static_cast<int>(blockDim.x)) body(v, row_[v], other.row_[v]);
  }

  // body(element) of every element of the thread's share
  template <class Body>
  __device__ void each_element(Body&& body) const {
    each([&](int, const V& v) {
#pragma unroll
      for (int e = 0; e < kCount; ++e) body(static_cast<float>(v.get(e)));
    });
  }

 private:
  __device__ static int at(int i) {
    return static_cast<int>(threadIdx.x + static_cast<unsigned>(i) * blockDim.x);
  }

  const V* row_;
  int vectors_;
  V held_[kHeld];
};

// Threads that hold a row of this many vectors, as far as a block can.
[[nodiscard]] inline unsigned row_threads(std::int64_t vectors, int held = kHeldVectors, int most = kMaxRowThreads) {
  const std::int64_t wanted = (vectors + held - 1) / held;
  return static_cast<unsigned>(
      std::clamp<std::int64_t>((wanted + kWarpThreads - 1) / kWarpThreads * kWarpThreads, kWarpThreads, most));
}

// body(TypeTag<T>, integral_constant of the elements in a vector): 16 bytes, or one element where rows start unaligned.
template <class... Ts, class Body>
void visit_rows(const opgate::Workload& workload, int columns, Body&& body) {
  opgate::visit_types<Ts...>(workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if (columns % kFullVector<T> == 0) {
      body(tag, std::integral_constant<int, kFullVector<T>>{});
    } else {
      body(tag, std::integral_constant<int, 1>{});
    }
  });
}

}  // namespace ops
