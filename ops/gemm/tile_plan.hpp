#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>

#include "../copy_bulk.cuh"
#include "../extent.hpp"
#include "../multiprocessors.hpp"
#include "opgate/cuda.cuh"

// What the host decides before it launches a kernel of wgmma tiles.
namespace ops::gemm {

inline int device_attribute(cudaDeviceAttr what) {
  int device = 0;
  int value = 0;
  OPGATE_CUDA(cudaGetDevice(&device));
  OPGATE_CUDA(cudaDeviceGetAttribute(&value, what, device));
  return value;
}

// Rows of `k` elements are read in pieces of 16 bytes, and multiplied by wgmma.
inline void require_tiles(const opgate::Workload& workload, int k) {
  const int piece = 16 / static_cast<int>(opgate::size_of(workload.dtype));
  require(k % piece == 0, workload, "k = " + std::to_string(k) + " is not a multiple of " + std::to_string(piece),
          "pad k to a multiple of " + std::to_string(piece) + "; rows are read in pieces of 16 bytes");
  require(device_attribute(cudaDevAttrComputeCapabilityMajor) == 9 &&
              device_attribute(cudaDevAttrComputeCapabilityMinor) == 0,
          workload, "this GPU has no wgmma", "run it on a GPU of compute capability 9.0");
}

// Rows that a stream copies whole begin on 16 bytes.
inline void require_bulk(const opgate::Workload& workload, const void* a, const void* b) {
  require(bulk_aligned(a) && bulk_aligned(b), workload, "a or b starts at no multiple of 16 bytes",
          "align them to 16 bytes");
}

// The fewest waves of tiles, weighed by what a tile costs: its columns, and a share for loading its rows of a.
inline int tile_width(std::int64_t tile_rows, int n, int multiprocessors, std::initializer_list<int> widths) {
  int best = 0;
  std::int64_t best_cost = std::numeric_limits<std::int64_t>::max();
  for (const int width : widths) {
    const std::int64_t tiles = tile_rows * ((n + width - 1) / width);
    const std::int64_t cost = (tiles + multiprocessors - 1) / multiprocessors * (width + 64);
    if (cost < best_cost) {
      best_cost = cost;
      best = width;
    }
  }
  return best;
}

}  // namespace ops::gemm
