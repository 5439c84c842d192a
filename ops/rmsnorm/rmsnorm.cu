#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "../slowdown.cuh"
#include "../vector.cuh"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::rmsnorm {
namespace {

using opgate::Call;
using opgate::Error;
using opgate::ErrorKind;

constexpr int kHeld = 4;  // vectors of a row that a thread keeps in registers between the sum and the scaling
constexpr int kWarpThreads = 32;
constexpr int kMaxThreads = 512;
constexpr int kResidentThreads = 1024;  // per SM: 64 KB of loads in flight, in at most 64 registers a thread
constexpr int kWarpRows = 8;            // rows per block when one warp does a row

template <class T>
struct Problem {
  const T* x;
  const T* w;
  T* y;
  std::int64_t rows;
  int columns;
  float eps;
};

template <class T, int kCount>
__device__ float squares(const Vector<T, kCount>& v) {
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    const auto value = static_cast<float>(v.get(i));
    sum += value * value;
  }
  return sum;
}

template <class T, int kCount>
__device__ Vector<T, kCount> scaled(const Vector<T, kCount>& v, const Vector<T, kCount>& w, float scale) {
  Vector<T, kCount> result;
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    result.set(i, static_cast<T>(static_cast<float>(v.get(i)) * scale * static_cast<float>(w.get(i))));
  }
  return result;
}

// Brings w in while x is being summed, without holding registers for it.
__device__ void prefetch(const void* address) {
  asm volatile("prefetch.global.L1 [%0];" ::"l"(address));
}

// The sum over blockDim.x threads, in all of them. One barrier: `partials` alternates from row to row.
__device__ float row_sum(float mine, float* partials) {
  for (int offset = kWarpThreads / 2; offset > 0; offset /= 2) mine += __shfl_xor_sync(0xFFFFFFFFU, mine, offset);
  if (blockDim.x == kWarpThreads) return mine;
  if (threadIdx.x % kWarpThreads == 0) partials[threadIdx.x / kWarpThreads] = mine;
  __syncthreads();
  float sum = 0;
  for (unsigned warp = 0; warp < blockDim.x / kWarpThreads; ++warp) sum += partials[warp];
  return sum;
}

// Limited by HBM for many rows (each element is read once and written once) and by latency for a few: load, sum,
// barrier, store. blockDim.x threads do a row, blockDim.y rows at a time; blocks stay and take further rows.
// kCount = 1 serves columns that are no multiple of 16 bytes, where rows start unaligned.
template <class T, int kCount>
__global__ void __launch_bounds__(kMaxThreads, kResidentThreads / kMaxThreads) rmsnorm_kernel(Problem<T> p) {
  using V = Vector<T, kCount>;
  __shared__ float partials[2][kMaxThreads / kWarpThreads];
  const long long start = slow_start();
  const int vectors = p.columns / kCount;
  const int first = static_cast<int>(threadIdx.x);
  const int step = static_cast<int>(blockDim.x);
  const auto* w = reinterpret_cast<const V*>(p.w);
  for (int v = first; v < vectors; v += step) prefetch(w + v);
  const std::int64_t first_row = std::int64_t{blockIdx.x} * blockDim.y + threadIdx.y;
  const std::int64_t row_step = std::int64_t{gridDim.x} * blockDim.y;
  int parity = 0;
  for (std::int64_t row = first_row; row < p.rows; row += row_step) {
    const auto* x = reinterpret_cast<const V*>(p.x + row * p.columns);
    auto* y = reinterpret_cast<V*>(p.y + row * p.columns);
    V held[kHeld];
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
      if (first + i * step < vectors) held[i] = x[first + i * step];
    }
    float sum = 0;
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
      if (first + i * step < vectors) sum += squares(held[i]);
    }
    for (int v = first + kHeld * step; v < vectors; v += step) sum += squares(x[v]);
    sum = row_sum(sum, partials[parity]);
    parity ^= 1;
    const float scale = 1.0F / sqrtf(sum / static_cast<float>(p.columns) + p.eps);
    V weight[kHeld];
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
      if (first + i * step < vectors) weight[i] = w[first + i * step];
    }
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
      if (first + i * step < vectors) y[first + i * step] = scaled(held[i], weight[i], scale);
    }
    for (int v = first + kHeld * step; v < vectors; v += step) y[v] = scaled(x[v], w[v], scale);
  }
  stretch(start, [&](int) {
    // A partial sum once more: shared memory answers in a few dozen cycles however many warps ask, where the weights
    // of all blocks would meet in a few lines of L2.
    const volatile float* again = partials[0];
    keep(again[threadIdx.x / kWarpThreads], p.y);
  });
}

// y = x / sqrt(mean(x^2) + eps) * w over the columns; f32, f16 and bf16, sums in f32.
class Rmsnorm final : public opgate::Op {
 public:
  void set_up(const Call& call) override {
    visit(call, [&](auto tag) { plan<typename decltype(tag)::type>(call); });
  }

  void run(const Call& call) override {
    visit(call, [&](auto tag) {
      using T = typename decltype(tag)::type;
      kernel_of<T>()<<<blocks_, threads_, 0, call.stream>>>(problem_of<T>(call));
    });
    OPGATE_LAUNCHED();
  }

 private:
  template <class Body>
  static void visit(const Call& call, Body&& body) {
    opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, body);
  }

  template <class T>
  static Problem<T> problem_of(const Call& call) {
    return {call.in["x"].as<T>(),
            call.in["w"].as<T>(),
            call.out["y"].as<T>(),
            call.workload.dim("rows"),
            static_cast<int>(call.workload.dim("cols")),
            static_cast<float>(call.workload.param("eps"))};
  }

  template <class T>
  auto kernel_of() const -> void (*)(Problem<T>) {
    return is_aligned_ ? rmsnorm_kernel<T, kFullVector<T>> : rmsnorm_kernel<T, 1>;
  }

  template <class T>
  void plan(const Call& call) {
    const std::int64_t columns = call.workload.dim("cols");
    if (columns < 1 || columns > std::numeric_limits<std::int32_t>::max() / 2) {
      throw Error(ErrorKind::op, "rmsnorm: cols = " + std::to_string(columns) + " is out of range",
                  call.workload.case_name(), "use 1 to 2^30 columns");
    }
    is_aligned_ = columns % kFullVector<T> == 0;
    const std::int64_t vectors = is_aligned_ ? columns / kFullVector<T> : columns;
    const std::int64_t wanted = (vectors + kHeld - 1) / kHeld;
    threads_.x = static_cast<unsigned>(
        std::clamp<std::int64_t>((wanted + kWarpThreads - 1) / kWarpThreads * kWarpThreads, kWarpThreads, kMaxThreads));
    threads_.y = threads_.x == kWarpThreads ? kWarpRows : 1;
    int device = 0;
    int multiprocessors = 0;
    OPGATE_CUDA(cudaGetDevice(&device));
    OPGATE_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    // As many rounds as the resident blocks need, and then no more blocks than those rounds need.
    const std::int64_t groups = (call.workload.dim("rows") + threads_.y - 1) / threads_.y;
    const std::int64_t capacity = std::int64_t{kResidentThreads} / (threads_.x * threads_.y) * multiprocessors;
    const std::int64_t rounds = (groups + capacity - 1) / capacity;
    blocks_ = static_cast<unsigned>((groups + rounds - 1) / rounds);
  }

  bool is_aligned_ = false;
  dim3 threads_;
  unsigned blocks_ = 0;
};

OPGATE_OP(rmsnorm, Rmsnorm)

}  // namespace
}  // namespace ops::rmsnorm
