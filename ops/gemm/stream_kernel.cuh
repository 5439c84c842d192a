#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "../copy_bulk.cuh"
#include "../slowdown.cuh"
#include "stream_plan.hpp"

namespace ops::gemm {

inline constexpr int kStreamWarps = 8;  // that multiply; one more copies
inline constexpr int kStreamThreads = (kStreamWarps + 1) * 32;
inline constexpr int kStepBytes = 64;  // of a row: four lanes with 16 bytes each

// A turn of the warps: kColumns rows of b and up to kRows of a, of each as many bytes as the warps take at a time.
template <int kRows, int kGroups>
struct Turn {
  static constexpr int kColumns = kStripColumns * kGroups;  // of c
  static constexpr int kSteps = 4;                          // of a warp; copies of 2 KiB: shorter ones are slower
  static constexpr int kWarpBytes = kSteps * kStepBytes;    // of a row
  static constexpr int kBytes = kStreamWarps * kWarpBytes;  // of a row
  static constexpr int kPitch = kBytes + kStepBytes;        // so that neighbouring rows lie in other banks
  static constexpr int kStageBytes = (kColumns + kRows) * kPitch;
  static constexpr int kStages = std::clamp(160 * 1024 / kStageBytes, 2, 4);
  static constexpr int kSharedBytes = kStages * kStageBytes;
};

// Bytes of rows, so that one kernel does for every type; what multiplies knows the type.
struct Stream {
  const unsigned char* a;  // m rows of row_bytes
  const unsigned char* b;  // n rows
  int m, n, row_bytes;     // a multiple of 16
};

// The warps that multiply leave a stage, and the one that copies waits for them, at a barrier of the stage's own.
inline constexpr int kFirstStageBarrier = 2;  // 0: of the block, 1: of the warps that multiply
__device__ inline void leave_stage(int stage) {
  asm volatile("bar.arrive %0, %1;\n" ::"r"(kFirstStageBarrier + stage), "n"(kStreamThreads) : "memory");
}
__device__ inline void wait_left(int stage) {
  asm volatile("bar.sync %0, %1;\n" ::"r"(kFirstStageBarrier + stage), "n"(kStreamThreads) : "memory");
}
__device__ inline void sync_multipliers() {
  asm volatile("bar.sync 1, %0;\n" ::"n"(kStreamWarps * 32) : "memory");
}

// By the warp that copies: the block's strips, turn by turn, each into the next stage that is free.
template <class Shape>
__device__ void stream_in(const Stream& s, unsigned char* ring, BulkBarrier* full) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  int stage = 0;
  bool is_used = false;
  for (int column = static_cast<int>(blockIdx.x) * Shape::kColumns; column < s.n;
       column += static_cast<int>(gridDim.x) * Shape::kColumns) {
    const int rows = min(Shape::kColumns, s.n - column);
    for (int at = 0; at < s.row_bytes; at += Shape::kBytes) {
      const int bytes = min(Shape::kBytes, s.row_bytes - at);
      unsigned char* to = ring + stage * Shape::kStageBytes;
      if (is_used) wait_left(stage);
      if (lane == 0) full[stage].expect((rows + s.m) * bytes);
      __syncwarp();
      for (int row = lane; row < rows; row += 32) {
        full[stage].copy(to + row * Shape::kPitch, s.b + static_cast<std::int64_t>(column + row) * s.row_bytes + at,
                         bytes);
      }
      if (lane < s.m) {
        full[stage].copy(to + (Shape::kColumns + lane) * Shape::kPitch,
                         s.a + static_cast<std::int64_t>(lane) * s.row_bytes + at, bytes);
      }
      if (++stage == Shape::kStages) {
        stage = 0;
        is_used = true;
      }
    }
  }
  const int left = is_used ? Shape::kStages : stage;
  for (int last = 0; last < left; ++last) wait_left(last);  // every arrival has its wait
}

// The sum over the warps, for each of the m * kColumns results.
template <int kRows, int kGroups, class Store>
__device__ void reduce_strip(const Stream& s, int column, const float (&acc)[kGroups][4],
                             float (&sums)[kStreamWarps][kRows][kStripColumns * kGroups], Store&& store) {
  constexpr int kColumns = kStripColumns * kGroups;
  const unsigned warp = threadIdx.x / 32;
  const unsigned row = threadIdx.x % 32 / 4;
#pragma unroll
  for (int g = 0; g < kGroups; ++g) {
    const unsigned at = g * 8 + threadIdx.x % 4 * 2;
    *reinterpret_cast<float2*>(&sums[warp][row][at]) = make_float2(acc[g][0], acc[g][1]);
    if constexpr (kRows > 8) *reinterpret_cast<float2*>(&sums[warp][row + 8][at]) = make_float2(acc[g][2], acc[g][3]);
  }
  sync_multipliers();
  for (int i = static_cast<int>(threadIdx.x); i < s.m * kColumns; i += kStreamWarps * 32) {
    const int r = i / kColumns;
    const int n = i % kColumns;
    float sum = 0;
#pragma unroll
    for (int w = 0; w < kStreamWarps; ++w) sum += sums[w][r][n];
    if (column + n < s.n) store(r, column + n, sum);
  }
  sync_multipliers();  // all have read before the next strip's sums are written
}

// c = a b^T for few rows of a. Limited by HBM: every weight is read once and used m times. A block per SM stays and
// takes strip after strip; one warp keeps copies of what comes next under way, across the ends of strips, while the
// others multiply. The rows of a come with each strip, from L2. A lane hands its 16 bytes of a row to `multiply` as
// they lie: a and b are permuted along k alike, which a dot product does not notice. multiply(acc, low, high, weight):
// for the 16 bytes of each lane; `low` of rows 0 to 7 of a, `high` of 8 to 15.
template <int kRows, int kGroups, class Multiply, class Store>
__device__ void stream(const Stream& s, Multiply&& multiply, Store&& store) {
  using Shape = Turn<kRows, kGroups>;
  static_assert(kFirstStageBarrier + Shape::kStages <= 16);
  extern __shared__ __align__(128) unsigned char ring[];
  __shared__ BulkBarrier full[Shape::kStages];
  __shared__ __align__(8) float sums[kStreamWarps][kRows][Shape::kColumns];
  const int warp = static_cast<int>(threadIdx.x / 32);
  const int lane = static_cast<int>(threadIdx.x % 32);
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < Shape::kStages; ++stage) full[stage].init();
  }
  __syncthreads();
  if (warp == kStreamWarps) {
    stream_in<Shape>(s, ring, full);
    return;
  }
  const long long start = slow_start();
  const int row = lane / 4;
  const int lane_byte = warp * Shape::kWarpBytes + lane % 4 * 16;  // of a turn
  // What lies behind a row's end, or behind the last row of a, is of an earlier turn, or nothing at all, and no number.
  // Rows of b behind the last one give columns that are not stored.
  const auto read = [&](const unsigned char* from, bool inside) {
    return inside ? *reinterpret_cast<const uint4*>(from) : uint4{};
  };
  int stage = 0;
  unsigned phase = 0;
  for (int column = static_cast<int>(blockIdx.x) * Shape::kColumns; column < s.n;
       column += static_cast<int>(gridDim.x) * Shape::kColumns) {
    float acc[kGroups][4] = {};
    for (int at = 0; at < s.row_bytes; at += Shape::kBytes) {
      const unsigned char* b_row = ring + stage * Shape::kStageBytes + row * Shape::kPitch + lane_byte;
      const unsigned char* a_row = b_row + Shape::kColumns * Shape::kPitch;
      full[stage].wait(phase);
#pragma unroll
      for (int i = 0; i < Shape::kSteps; ++i) {
        const int byte = i * kStepBytes;
        const bool inside = at + lane_byte + byte < s.row_bytes;
        const uint4 low = read(a_row + byte, inside && row < s.m);
        uint4 high{};
        if constexpr (kRows > 8) high = read(a_row + 8 * Shape::kPitch + byte, inside && row + 8 < s.m);
#pragma unroll
        for (int g = 0; g < kGroups; ++g) {
          multiply(acc[g], low, high, read(b_row + g * 8 * Shape::kPitch + byte, inside));
        }
      }
      leave_stage(stage);
      if (++stage == Shape::kStages) {
        stage = 0;
        phase ^= 1U;
      }
    }
    reduce_strip<kRows, kGroups>(s, column, acc, sums, store);
  }
  // A step from shared memory once more: all blocks end at about the same time, and then so do these.
  stretch(start, [&](int pass) {
    float again[4] = {};
    const uint4 some = read(ring + pass % 8 * Shape::kPitch + lane_byte, true);
    multiply(again, some, some, some);
    keep(again[0] + again[1] + again[2] + again[3], &sums[0][0][0]);
  });
}

// `launch(rows, groups)` with the constants of the kernel for `m` rows of a and this plan.
template <class Launch>
auto visit_stream(int m, const StreamPlan& plan, Launch&& launch) {
  const auto with_rows = [&](auto rows) {
    if (plan.groups == 1) return launch(rows, std::integral_constant<int, 1>{});
    if constexpr (rows() > 8) {
      if (plan.groups == 4) return launch(rows, std::integral_constant<int, 4>{});
    }
    return launch(rows, std::integral_constant<int, 2>{});
  };
  return m <= 8 ? with_rows(std::integral_constant<int, 8>{}) : with_rows(std::integral_constant<int, kStreamRows>{});
}

}  // namespace ops::gemm
