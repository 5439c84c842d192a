#pragma once

#include <cstdint>

#include "../copy_async.cuh"
#include "../mma.cuh"

namespace ops::conv2d {

inline constexpr int kTile = 128;  // pixels, and filters, of a block
inline constexpr int kTileK = 32;  // 64 bytes of each per step
inline constexpr int kThreads = 256;
inline constexpr int kStages = 4;
inline constexpr int kRowBytes = kTileK * 2;
inline constexpr int kChunks = kRowBytes / 16;
inline constexpr int kPass = kThreads / kChunks;  // rows that all threads copy at once
inline constexpr int kTileBytes = kTile * kRowBytes;
inline constexpr int kStageBytes = 2 * kTileBytes;
inline constexpr int kSharedBytes = kStages * kStageBytes;
inline constexpr int kWarpPixels = 64;  // warps lie two by four over the tile
inline constexpr int kWarpFilters = 32;

template <class T>
struct Problem {
  const T* x;       // [batch, h, w, c]
  const T* filter;  // [filters, r, s, c]
  T* y;             // [batch, p, q, filters]
  int h, w, c, filters, r, s, p, q;
  int stride, pad;
  int pixels;  // batch p q
};

// Chunks are swapped within pairs of rows, so that eight rows of one column lie in different banks.
__device__ inline std::uint32_t chunk_at(std::uint32_t tile, int row, int chunk) {
  return tile + static_cast<std::uint32_t>(row * kRowBytes + (chunk ^ (row / 2 % kChunks)) * 16);
}

// What one thread copies: a chunk of 8 channels of two pixels and of two filters, at every step of k, which runs over
// the channels of each place of the filter in turn.
template <class T>
class Copier {
 public:
  __device__ Copier(const Problem<T>& problem, int first_pixel, int first_filter)
      : p_(problem), row_(static_cast<int>(threadIdx.x) / kChunks), chunk_(static_cast<int>(threadIdx.x) % kChunks) {
    const int length = p_.r * p_.s * p_.c;
#pragma unroll
    for (int i = 0; i < kTile / kPass; ++i) {
      const int pixel = first_pixel + row_ + i * kPass;
      const int image = pixel / (p_.p * p_.q);
      top_[i] = pixel / p_.q % p_.p * p_.stride - p_.pad;
      left_[i] = pixel % p_.q * p_.stride - p_.pad;
      if (pixel >= p_.pixels) top_[i] = p_.h;  // below the image: zeros
      image_[i] = p_.x + std::int64_t{pixel < p_.pixels ? image : 0} * p_.h * p_.w * p_.c;
      const int filter = first_filter + row_ + i * kPass;
      has_filter_[i] = filter < p_.filters;
      filter_[i] = p_.filter + std::int64_t{has_filter_[i] ? filter : 0} * length;
    }
  }

  __device__ void copy(std::uint32_t stage, int k0) const {
    const int k = k0 + chunk_ * 8;
    const int place = k / p_.c;
    const int channel = k % p_.c;
    const bool in_filter = place < p_.r * p_.s;
#pragma unroll
    for (int i = 0; i < kTile / kPass; ++i) {
      const int row = top_[i] + place / p_.s;
      const int column = left_[i] + place % p_.s;
      const bool inside = in_filter && row >= 0 && row < p_.h && column >= 0 && column < p_.w;
      const T* from = image_[i] + (std::int64_t{row} * p_.w + column) * p_.c + channel;
      copy_async(chunk_at(stage, row_ + i * kPass, chunk_), inside ? from : p_.x, inside);
      const bool has = in_filter && has_filter_[i];
      copy_async(chunk_at(stage + kTileBytes, row_ + i * kPass, chunk_), has ? filter_[i] + k : p_.filter, has);
    }
  }

 private:
  Problem<T> p_;
  int row_, chunk_;
  int top_[kTile / kPass];
  int left_[kTile / kPass];
  bool has_filter_[kTile / kPass];
  const T* image_[kTile / kPass];
  const T* filter_[kTile / kPass];
};

// sums += one step of k for the warp's 64 pixels and 32 filters.
template <class T>
__device__ void multiply(std::uint32_t stage, int pixel, int filter, float (&sums)[4][4][4]) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int step = 0; step < kTileK / 16; ++step) {
    unsigned a[4][4];
    unsigned b[2][4];
#pragma unroll
    for (int i = 0; i < 4; ++i) load_matrices(a[i], chunk_at(stage, pixel + i * 16 + lane % 16, step * 2 + lane / 16));
#pragma unroll
    for (int j = 0; j < 2; ++j) {
      load_matrices(b[j],
                    chunk_at(stage + kTileBytes, filter + j * 16 + lane / 16 * 8 + lane % 8, step * 2 + lane / 8 % 2));
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        mma<T>(sums[i][j], a[i][0], a[i][1], a[i][2], a[i][3], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
      }
    }
  }
}

// Limited by mma.sync, which reaches about 60 % of what wgmma does on Hopper, and by the addresses that each chunk of
// the input needs: a gemm of pixels by filters over r s c, whose left operand is gathered from the image.
template <class T>
__global__ void __launch_bounds__(kThreads, 2) conv_kernel(Problem<T> p) {
  extern __shared__ __align__(128) char raw[];
  const std::uint32_t shared = shared_address(raw);
  const int first_pixel = static_cast<int>(blockIdx.x) * kTile;
  const int first_filter = static_cast<int>(blockIdx.y) * kTile;
  const Copier<T> copier(p, first_pixel, first_filter);
  const int steps = (p.r * p.s * p.c + kTileK - 1) / kTileK;
  const auto load = [&](int step) {
    if (step < steps) copier.copy(shared + static_cast<std::uint32_t>(step % kStages * kStageBytes), step * kTileK);
    copy_commit();
  };
  for (int step = 0; step < kStages - 1; ++step) load(step);
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int pixel = warp / 4 * kWarpPixels;
  const int filter = warp % 4 * kWarpFilters;
  float sums[4][4][4] = {};
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    copy_wait<kStages - 2>();
    __syncthreads();  // the stage is complete, and all warps are done with the one before it
    load(step + kStages - 1);
    multiply<T>(shared + static_cast<std::uint32_t>(step % kStages * kStageBytes), pixel, filter, sums);
  }
  const int row = first_pixel + pixel + static_cast<int>(threadIdx.x) % 32 / 4;
  const int column = first_filter + filter + static_cast<int>(threadIdx.x) % 4 * 2;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const std::int64_t to = row + i * 16 + half * 8;
        if (to >= p.pixels || column + j * 8 >= p.filters) continue;
        *reinterpret_cast<unsigned*>(p.y + to * p.filters + column + j * 8) =
            pack<T>(sums[i][j][2 * half], sums[i][j][2 * half + 1]);
      }
    }
  }
}

}  // namespace ops::conv2d
