#include "../column_reduce.cuh"
#include "../multiprocessors.hpp"
#include "../row.cuh"
#include "opgate/op.hpp"
#include "ring_kernel.cuh"

namespace ops::rmsnorm_backward {
namespace {

constexpr int kMaxThreads = 512;  // with 128 registers each
constexpr int kSharesAhead = 16;  // of dw; 264 blocks' take 7.3 us of an H200, 9.4 with four in flight per thread

// Limited by HBM: dy and x are read once, dx is written once, and a row of partial dw per block. Blocks stay and take
// further rows, the next of which is on its way into registers while one is summed.
template <class T, int kCount, int kHeld>
__global__ void __launch_bounds__(kMaxThreads) backward_rows_kernel(Problem<T> p) {
  __shared__ float partials[2][2][kMaxThreads / kWarpThreads];
  const long long start = slow_start();
  const auto load = [&](Pair<T, kCount, kHeld>& pair, std::int64_t row) {
    if (row < p.rows) pair.load(p.dy + row * p.columns, p.x + row * p.columns, p.columns / kCount);
  };
  OwnColumns<T, kCount, kHeld> own(p);
  Pair<T, kCount, kHeld> now;
  load(now, blockIdx.x);
  int parity = 0;
  for (std::int64_t row = blockIdx.x; row < p.rows; row += gridDim.x) {
    Pair<T, kCount, kHeld> next;
    load(next, row + gridDim.x);
    float squares = 0;
    float products = 0;
    own.sum(now, squares, products);
    // Two arrays in turn: a warp that is a row ahead must not overwrite what another still reads.
    squares = block_reduce(squares, partials[parity][0], Sum{});
    products = block_reduce(products, partials[parity][1], Sum{});
    parity ^= 1;
    own.finish(p, row, now, squares, products);
    now = next;
  }
  own.write_dw(p);
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
    visit_ring(call.workload, [&](auto tag, auto shape) { set_up_ring<typename decltype(tag)::type, shape()>(); });
    if (stages_ == 0) {
      visit(call.workload, [&](auto tag, auto count, auto held) {
        const int vectors = columns_ / count();
        require(vectors <= kMaxThreads * kMostHeld, call.workload,
                "cols = " + std::to_string(columns_) + " is too large",
                "use at most 2048 vectors of 16 bytes a row, or 2048 columns where rows start unaligned");
        threads_ = row_threads(vectors, held());
        blocks_ = resident(backward_rows_kernel<typename decltype(tag)::type, count(), held()>, 0) * multiprocessors();
      });
    }
    blocks_ = static_cast<int>(std::min<std::int64_t>(call.workload.dim("rows"), blocks_));
    partials_.allocate(static_cast<std::size_t>(blocks_) * static_cast<std::size_t>(columns_) * sizeof(float));
  }

  void run(const opgate::Call& call) override {
    const auto blocks = static_cast<unsigned>(blocks_);
    if (stages_ > 0) {
      visit_ring(call.workload, [&](auto tag, auto shape) {
        using T = typename decltype(tag)::type;
        const Problem<T> p = problem<T>(call);
        require(bulk_aligned(p.x) && bulk_aligned(p.dy), call.workload, "x or dy starts at no multiple of 16 bytes",
                "align them to 16 bytes");
        const auto bytes = static_cast<std::size_t>(stages_) * stage_bytes(columns_, sizeof(T));
        ring_kernel<T, shape()>()<<<blocks, threads_, bytes, call.stream>>>(p, stages_);
      });
    } else {
      visit(call.workload, [&](auto tag, auto count, auto held) {
        using T = typename decltype(tag)::type;
        backward_rows_kernel<T, count(), held()><<<blocks, threads_, 0, call.stream>>>(problem<T>(call));
      });
    }
    OPGATE_LAUNCHED();
    opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
      using T = typename decltype(tag)::type;
      launch_combine_chunks<Sum, kSharesAhead>(partials_.as<float>(), call.out["dw"].as<T>(), columns_, blocks_, call);
    });
  }

 private:
  template <class T>
  [[nodiscard]] Problem<T> problem(const opgate::Call& call) const {
    return {call.in["dy"].as<T>(),
            call.in["x"].as<T>(),
            call.in["w"].as<T>(),
            call.out["dx"].as<T>(),
            partials_.as<float>(),
            call.workload.dim("rows"),
            columns_,
            static_cast<float>(call.workload.param("eps"))};
  }

  template <class T, RingShape kShape>
  void set_up_ring() {
    const auto kernel = ring_kernel<T, kShape>();
    const int stage = stage_bytes(columns_, sizeof(T));
    threads_ = row_threads(columns_ / kFullVector<T>, kShape.held);
    const int blocks = ring_blocks(kShape, static_cast<int>(threads_), resident(kernel, stage));
    stages_ = ring_stages(stage, blocks);
    blocks_ = std::min(blocks, resident(kernel, stages_ * stage)) * multiprocessors();
  }

  // Blocks of an SM; the kernel gets as much shared memory.
  template <class Kernel>
  [[nodiscard]] int resident(Kernel kernel, int shared_bytes) const {
    int blocks = 0;
    OPGATE_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
    OPGATE_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads_),
                                                              static_cast<std::size_t>(shared_bytes)));
    return blocks;
  }

  // body(TypeTag<T>, integral_constant of the shape), or nothing where rows pass through no ring
  template <class Body>
  void visit_ring(const opgate::Workload& workload, Body&& body) const {
    opgate::visit_types<float, __half, __nv_bfloat16>(workload.dtype, [&](auto tag) {
      constexpr bool k32 = sizeof(typename decltype(tag)::type) == 4;
      constexpr RingShape kShort = k32 ? kShort32 : kShort16;
      constexpr RingShape kLong = k32 ? kLong32 : kLong16;
      const std::optional<RingShape> shape = ring_shape(workload.dim("rows"), columns_, k32 ? 4 : 2);
      if (shape == kShort) body(tag, std::integral_constant<RingShape, kShort>{});
      if (shape == kLong) body(tag, std::integral_constant<RingShape, kLong>{});
    });
  }

  // body(TypeTag<T>, elements in a vector, vectors that a thread holds)
  template <class Body>
  void visit(const opgate::Workload& workload, Body&& body) const {
    visit_rows<float, __half, __nv_bfloat16>(workload, columns_, [&](auto tag, auto count) {
      if (columns_ / count() <= kMaxThreads * kFewHeld) {
        body(tag, count, std::integral_constant<int, kFewHeld>{});
      } else {
        body(tag, count, std::integral_constant<int, kMostHeld>{});
      }
    });
  }

  int columns_ = 0;
  int blocks_ = 0;
  int stages_ = 0;  // of the ring; 0: none
  unsigned threads_ = 0;
  DeviceMemory partials_;
};

OPGATE_OP(rmsnorm_backward, RmsnormBackward)

}  // namespace
}  // namespace ops::rmsnorm_backward
