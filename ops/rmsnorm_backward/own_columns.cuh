#pragma once

#include <cstdint>

#include "../vector.cuh"

namespace ops::rmsnorm_backward {

template <class T>
struct Problem {
  const T* dy;
  const T* x;
  const T* w;
  T* dx;
  float* dw_partials;
  std::int64_t rows;
  int columns;
  float eps;
};

// A thread's vectors of dy and of x in one row.
template <class T, int kCount, int kHeld>
struct Pair {
  Vector<T, kCount> dy[kHeld];
  Vector<T, kCount> x[kHeld];

  __device__ void load(const T* dy_row, const T* x_row, int vectors) {
    using V = Vector<T, kCount>;
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
      if (const int v = static_cast<int>(threadIdx.x + static_cast<unsigned>(i) * blockDim.x); v < vectors) {
        x[i] = reinterpret_cast<const V*>(x_row)[v];
        dy[i] = reinterpret_cast<const V*>(dy_row)[v];
      }
    }
  }
};

// A thread keeps its columns, and with them their weights and its share of dw in registers.
//   r = 1 / sqrt(mean(x^2) + eps), g = dy w, dx = r (g - x r^2 mean(g x)), dw = sum over rows of dy x r
template <class T, int kCount, int kHeld>
class OwnColumns {
 public:
  using V = Vector<T, kCount>;

  __device__ explicit OwnColumns(const Problem<T>& p) : vectors_(p.columns / kCount) {
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
      if (at(i) < vectors_) w_[i] = reinterpret_cast<const V*>(p.w)[at(i)];
    }
  }

  // Of x^2, and of dy w x.
  __device__ void sum(const Pair<T, kCount, kHeld>& now, float& squares, float& products) const {
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
      if (at(i) >= vectors_) continue;
#pragma unroll
      for (int e = 0; e < kCount; ++e) {
        const auto value = static_cast<float>(now.x[i].get(e));
        squares += value * value;
        products += static_cast<float>(now.dy[i].get(e)) * static_cast<float>(w_[i].get(e)) * value;
      }
    }
  }

  // Writes the row of dx, given both sums over all of it, and adds to dw.
  __device__ void finish(const Problem<T>& p, std::int64_t row, const Pair<T, kCount, kHeld>& now, float squares,
                         float products) {
    const auto columns = static_cast<float>(p.columns);
    const float r = 1.0F / sqrtf(squares / columns + p.eps);
    const float pull = r * r * products / columns;
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
      if (at(i) >= vectors_) continue;
      V dx;
#pragma unroll
      for (int e = 0; e < kCount; ++e) {
        const auto value = static_cast<float>(now.x[i].get(e));
        const auto slope = static_cast<float>(now.dy[i].get(e));
        dx.set(e, static_cast<T>(r * (slope * static_cast<float>(w_[i].get(e)) - value * pull)));
        dw_[i][e] += slope * value * r;
      }
      reinterpret_cast<V*>(p.dx + row * p.columns)[at(i)] = dx;
    }
  }

  // The block's share of dw.
  __device__ void write_dw(const Problem<T>& p) const {
    float* out = p.dw_partials + std::int64_t{blockIdx.x} * p.columns;
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
      if (at(i) >= vectors_) continue;
#pragma unroll
      for (int e = 0; e < kCount; ++e) out[at(i) * kCount + e] = dw_[i][e];
    }
  }

 private:
  __device__ static int at(int i) {
    return static_cast<int>(threadIdx.x + static_cast<unsigned>(i) * blockDim.x);
  }

  int vectors_;
  V w_[kHeld];
  float dw_[kHeld][kCount] = {};
};

}  // namespace ops::rmsnorm_backward
