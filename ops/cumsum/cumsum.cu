#include <cstdint>
#include <limits>
#include <type_traits>

#include <cub/block/block_load.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>

#include "../block_reduce.cuh"
#include "../device_memory.hpp"
#include "../extent.hpp"
#include "chunk_plan.hpp"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"
#include "striped_kernel.cuh"

namespace ops::cumsum {
namespace {

// What suits a block whose threads take kPerThread elements each.
template <class T, int kPerThread>
struct Chunk;
template <class T>
struct Chunk<T, kSmallChunk> {
  static constexpr cub::BlockScanAlgorithm kScan = cub::BLOCK_SCAN_RAKING;
  static constexpr unsigned kPauseNs = 0;
  static constexpr int kBlocks = 0;  // of an SM, at least; 0: as it comes
};
template <class T>
struct Chunk<T, kLargeChunk> {
  static constexpr cub::BlockScanAlgorithm kScan = cub::BLOCK_SCAN_WARP_SCANS;
  static constexpr unsigned kPauseNs = kLargePauseNs;
  static constexpr int kBlocks = kLargeBlocks;
};

// Limited by HBM: every element is read and written once, in one pass.
template <class T, int kPerThread>
__global__ void __launch_bounds__(kThreads, Chunk<T, kPerThread>::kBlocks)
    cumsum_kernel(const T* x, T* y, State* states, int columns, int chunks, unsigned call) {
  using Load = cub::BlockLoad<T, kThreads, kPerThread, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Store = cub::BlockStore<T, kThreads, kPerThread, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  using Scan = cub::BlockScan<T, kThreads, Chunk<T, kPerThread>::kScan>;
  constexpr int kChunk = kThreads * kPerThread;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Scan::TempStorage scan;
  } storage;
  __shared__ T shared_carry;
  const std::int64_t row = blockIdx.x / static_cast<unsigned>(chunks);
  const int chunk = static_cast<int>(blockIdx.x % static_cast<unsigned>(chunks));
  const std::int64_t base = row * columns + std::int64_t{chunk} * kChunk;
  const int inside = min(kChunk, columns - chunk * kChunk);
  T items[kPerThread];
  Load(storage.load).Load(x + base, items, inside, T{0});
  __syncthreads();
  T own_sum;
  Scan(storage.scan).InclusiveSum(items, items, own_sum);
  if constexpr (std::is_integral_v<T> && kPerThread == kLargeChunk) {
    // Sums of integers may be regrouped, which takes registers that five blocks leave not: as it is, each of them.
#pragma unroll
    for (T& item : items) asm("" : "+r"(item));
  }
  State* own_state = states + blockIdx.x;
  if (threadIdx.x == 0) {
    const State state = state_of(call + (chunk == 0 ? kPrefix : kOwnSum), own_sum);
    write_state(own_state, state);
  }
  if (threadIdx.x < kWarpThreads) {
    const T carry =
        chunk == 0 ? T{0} : look_back<Window::whole, Chunk<T, kPerThread>::kPauseNs, T>(own_state, chunk, call);
    if (threadIdx.x == 0) {
      if (chunk > 0) write_state(own_state, state_of(call + kPrefix, static_cast<T>(carry + own_sum)));
      shared_carry = carry;
    }
  }
  __syncthreads();
#pragma unroll
  for (T& item : items) item += shared_carry;
  Store(storage.store).Store(y + base, items, inside);
}

constexpr int kWarpsPerBlock = kThreads / kWarpThreads;

// Limited by HBM. A warp does a row, 32 elements at a time: neighbouring lanes hold neighbouring elements.
template <class T>
__global__ void __launch_bounds__(kThreads) short_rows_kernel(const T* x, T* y, std::int64_t rows, int columns) {
  constexpr int kAhead = 4;  // loads in flight
  const auto lane = static_cast<int>(threadIdx.x % kWarpThreads);
  const std::int64_t row = std::int64_t{blockIdx.x} * kWarpsPerBlock + threadIdx.x / kWarpThreads;
  if (row >= rows) return;  // whole warps
  const T* in = x + row * columns;
  T* out = y + row * columns;
  T carry = 0;
  for (int first = 0; first < columns; first += kAhead * kWarpThreads) {
    T items[kAhead];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const int column = first + i * kWarpThreads + lane;
      items[i] = column < columns ? in[column] : T{0};
    }
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
#pragma unroll
      for (int offset = 1; offset < kWarpThreads; offset *= 2) {
        const T before = __shfl_up_sync(0xFFFFFFFFU, items[i], static_cast<unsigned>(offset));
        if (lane >= offset) items[i] += before;
      }
      items[i] += carry;
      carry = __shfl_sync(0xFFFFFFFFU, items[i], kWarpThreads - 1);
      const int column = first + i * kWarpThreads + lane;
      if (column < columns) out[column] = items[i];
    }
  }
}

// y[r, c] = the sum of x[r, 0..c]; f32 and i32.
class Cumsum final : public opgate::Op {
 public:
  void set_up(const opgate::Call& call) override {
    columns_ = extent(call.workload, "cols");
    const std::int64_t rows = call.workload.dim("rows");
    per_thread_ = elements_per_thread(rows, columns_);
    is_striped_ = per_thread_ == kLargeChunk && columns_ % kVector == 0 && is_aligned(call.in["x"].as<void>()) &&
                  is_aligned(call.out["y"].as<void>());
    chunks_ = static_cast<int>(chunks_of(columns_, per_thread_));
    blocks_ = blocks_for(rows * chunks_, 1, call.workload);
    states_.allocate(std::size_t{blocks_} * sizeof(State));
    forget(call);
  }

  void run(const opgate::Call& call) override {
    if (columns_ <= kShortRow) {
      visit(call, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const std::int64_t rows = call.workload.dim("rows");
        short_rows_kernel<T><<<blocks_for(rows, kWarpsPerBlock, call.workload), kThreads, 0, call.stream>>>(
            call.in["x"].as<T>(), call.out["y"].as<T>(), rows, columns_);
      });
      OPGATE_LAUNCHED();
      return;
    }
    if (call_ > std::numeric_limits<unsigned>::max() - 2 * kFlags) forget(call);
    call_ += kFlags;
    if (is_striped_) {
      visit(call, [&](auto tag) {
        using T = typename decltype(tag)::type;
        cumsum_striped_kernel<T><<<blocks_, kThreads, 0, call.stream>>>(call.in["x"].as<T>(), call.out["y"].as<T>(),
                                                                        states_.as<State>(), columns_, chunks_, call_);
      });
    } else if (per_thread_ == kLargeChunk) {
      launch<kLargeChunk>(call);
    } else {
      launch<kSmallChunk>(call);
    }
    OPGATE_LAUNCHED();
  }

 private:
  // Before the first call, and after two thousand million of them.
  void forget(const opgate::Call& call) {
    OPGATE_CUDA(cudaMemsetAsync(states_.as<State>(), 0, states_.bytes(), call.stream));
    call_ = 0;
  }

  template <int kPerThread>
  void launch(const opgate::Call& call) const {
    visit(call, [&](auto tag) {
      using T = typename decltype(tag)::type;
      cumsum_kernel<T, kPerThread><<<blocks_, kThreads, 0, call.stream>>>(
          call.in["x"].as<T>(), call.out["y"].as<T>(), states_.as<State>(), columns_, chunks_, call_);
    });
  }

  template <class Body>
  static void visit(const opgate::Call& call, Body&& body) {
    opgate::visit_types<float, std::int32_t>(call.workload.dtype, body);
  }

  static constexpr int kVector = 4;  // elements of 16 bytes
  static bool is_aligned(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) % (kVector * sizeof(float)) == 0;
  }

  int columns_ = 0;
  int per_thread_ = kSmallChunk;
  bool is_striped_ = false;  // large chunks of whole vectors
  int chunks_ = 0;           // of a row
  unsigned blocks_ = 0;
  unsigned call_ = 0;
  DeviceMemory states_;
};

OPGATE_OP(cumsum, Cumsum)

}  // namespace
}  // namespace ops::cumsum
