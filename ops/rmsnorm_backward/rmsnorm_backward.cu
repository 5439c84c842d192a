#include "../column_reduce.cuh"
#include "../multiprocessors.hpp"
#include "../row.cuh"
#include "opgate/op.hpp"

namespace ops::rmsnorm_backward {
namespace {

constexpr int kMaxThreads = 512;  // with 128 registers each
constexpr int kFewHeld = 2;       // vectors of a row per thread, each with its own share of dw
constexpr int kMostHeld = 4;

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

  __device__ void load(const Problem<T>& p, std::int64_t row) {
    if (row >= p.rows) return;
    using V = Vector<T, kCount>;
    const int vectors = p.columns / kCount;
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
      if (const int v = static_cast<int>(threadIdx.x + static_cast<unsigned>(i) * blockDim.x); v < vectors) {
        x[i] = reinterpret_cast<const V*>(p.x + row * p.columns)[v];
        dy[i] = reinterpret_cast<const V*>(p.dy + row * p.columns)[v];
      }
    }
  }
};

// Limited by HBM: dy and x are read once, dx is written once, and a row of partial dw per block. Blocks stay and take
// further rows, the next of which is on its way while one is summed; a thread keeps its columns, and with them its
// share of dw in registers.
//   r = 1 / sqrt(mean(x^2) + eps), g = dy w, dx = r (g - x r^2 mean(g x)), dw = sum over rows of dy x r
template <class T, int kCount, int kHeld>
__global__ void __launch_bounds__(kMaxThreads) backward_rows_kernel(Problem<T> p) {
  using V = Vector<T, kCount>;
  __shared__ float partials[2][2][kMaxThreads / kWarpThreads];
  const long long start = slow_start();
  const int vectors = p.columns / kCount;
  const int first = static_cast<int>(threadIdx.x);
  const int step = static_cast<int>(blockDim.x);
  V w[kHeld];
  float dw[kHeld][kCount] = {};
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    if (first + i * step < vectors) w[i] = reinterpret_cast<const V*>(p.w)[first + i * step];
  }
  Pair<T, kCount, kHeld> now;
  now.load(p, blockIdx.x);
  int parity = 0;
  for (std::int64_t row = blockIdx.x; row < p.rows; row += gridDim.x) {
    Pair<T, kCount, kHeld> next;
    next.load(p, row + gridDim.x);
    float squares = 0;
    float products = 0;
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
      if (first + i * step >= vectors) continue;
#pragma unroll
      for (int e = 0; e < kCount; ++e) {
        const auto value = static_cast<float>(now.x[i].get(e));
        squares += value * value;
        products += static_cast<float>(now.dy[i].get(e)) * static_cast<float>(w[i].get(e)) * value;
      }
    }
    // Two arrays in turn: a warp that is a row ahead must not overwrite what another still reads.
    squares = block_reduce(squares, partials[parity][0], Sum{});
    products = block_reduce(products, partials[parity][1], Sum{});
    parity ^= 1;
    const auto columns = static_cast<float>(p.columns);
    const float r = 1.0F / sqrtf(squares / columns + p.eps);
    const float pull = r * r * products / columns;
#pragma unroll
    for (int i = 0; i < kHeld; ++i) {
      if (first + i * step >= vectors) continue;
      V dx;
#pragma unroll
      for (int e = 0; e < kCount; ++e) {
        const auto value = static_cast<float>(now.x[i].get(e));
        const auto slope = static_cast<float>(now.dy[i].get(e));
        dx.set(e, static_cast<T>(r * (slope * static_cast<float>(w[i].get(e)) - value * pull)));
        dw[i][e] += slope * value * r;
      }
      reinterpret_cast<V*>(p.dx + row * p.columns)[first + i * step] = dx;
    }
    now = next;
  }
  float* out = p.dw_partials + std::int64_t{blockIdx.x} * p.columns;
#pragma unroll
  for (int i = 0; i < kHeld; ++i) {
    if (first + i * step >= vectors) continue;
#pragma unroll
    for (int e = 0; e < kCount; ++e) out[(first + i * step) * kCount + e] = dw[i][e];
  }
  stretch(start, [&](int) {
    // As in rmsnorm: a partial sum once more, which costs every block the same.
    const volatile float* again = partials[0][0];
    keep(again[threadIdx.x / kWarpThreads], p.dw_partials);
  });
}

// The gradients of y = x / sqrt(mean(x^2) + eps) * w; f32, f16 and bf16, sums in f32. Two kernels: rows, and the sum of
// the blocks' shares of dw.
class RmsnormBackward final : public opgate::Op {
 public:
  void set_up(const opgate::Call& call) override {
    columns_ = extent(call.workload, "cols");
    visit(call, [&](auto, auto count, auto held) {
      const int vectors = columns_ / count();
      require(vectors <= kMaxThreads * kMostHeld, call.workload, "cols = " + std::to_string(columns_) + " is too large",
              "use at most 2048 vectors of 16 bytes a row, or 2048 columns where rows start unaligned");
      threads_ = row_threads(vectors, held());
    });
    visit(call, [&](auto tag, auto count, auto held) {
      int resident = 0;
      OPGATE_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &resident, backward_rows_kernel<typename decltype(tag)::type, count(), held()>, static_cast<int>(threads_),
          0));
      blocks_ = static_cast<int>(
          std::min<std::int64_t>(call.workload.dim("rows"), std::int64_t{resident} * multiprocessors()));
    });
    partials_.allocate(static_cast<std::size_t>(blocks_) * static_cast<std::size_t>(columns_) * sizeof(float));
  }

  void run(const opgate::Call& call) override {
    visit(call, [&](auto tag, auto count, auto held) {
      using T = typename decltype(tag)::type;
      const Problem<T> p{call.in["dy"].as<T>(),
                         call.in["x"].as<T>(),
                         call.in["w"].as<T>(),
                         call.out["dx"].as<T>(),
                         partials_.as<float>(),
                         call.workload.dim("rows"),
                         columns_,
                         static_cast<float>(call.workload.param("eps"))};
      backward_rows_kernel<T, count(), held()><<<static_cast<unsigned>(blocks_), threads_, 0, call.stream>>>(p);
      OPGATE_LAUNCHED();
      launch_combine_chunks<Sum>(partials_.as<float>(), call.out["dw"].as<T>(), columns_, blocks_, call);
    });
  }

 private:
  // body(TypeTag<T>, elements in a vector, vectors that a thread holds)
  template <class Body>
  void visit(const opgate::Call& call, Body&& body) const {
    visit_rows<float, __half, __nv_bfloat16>(call.workload, columns_, [&](auto tag, auto count) {
      if (columns_ / count() <= kMaxThreads * kFewHeld) {
        body(tag, count, std::integral_constant<int, kFewHeld>{});
      } else {
        body(tag, count, std::integral_constant<int, kMostHeld>{});
      }
    });
  }

  int columns_ = 0;
  int blocks_ = 0;
  unsigned threads_ = 0;
  DeviceMemory partials_;
};

OPGATE_OP(rmsnorm_backward, RmsnormBackward)

}  // namespace
}  // namespace ops::rmsnorm_backward
