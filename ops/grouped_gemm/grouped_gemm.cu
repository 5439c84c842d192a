#include <cstdint>
#include <vector>

#include "../device_memory.hpp"
#include "../gemm/tile_kernel.cuh"
#include "../gemm/tile_plan.hpp"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::grouped_gemm {
namespace {

using gemm::kTileM;
using gemm::Tile;
using opgate::Call;

constexpr int kMostExperts = gemm::kTileThreads;

template <class T>
struct Problem {
  gemm::Problem<T> all;  // b of expert 0; m counts the rows of all experts
  const int* first_row;  // [experts + 1]
  int experts;
};

// Limited by HBM while the experts' rows are few (a weight is read once per 128 rows of its expert), then by the tensor
// cores as gemm is; an expert's last tile is padded to 128 rows. Only the device knows how many rows an expert has, so
// the grid is what the worst routing needs, and each block looks up which tile of which expert is its own.
template <class T, int kTileN>
__global__ void __launch_bounds__(gemm::kTileThreads, 1) grouped_kernel(Problem<T> p) {
  __shared__ int first_row[kMostExperts + 1];
  for (int e = static_cast<int>(threadIdx.x); e <= p.experts; e += gemm::kTileThreads) {
    first_row[e] = p.first_row[e];
  }
  __syncthreads();
  const int columns = gemm::ceil_div(p.all.n, kTileN);
  int index = static_cast<int>(blockIdx.x);
  for (int expert = 0; expert < p.experts; ++expert) {
    const int rows = first_row[expert + 1] - first_row[expert];
    const int tiles = gemm::ceil_div(rows, kTileM) * columns;
    if (index < tiles) {
      gemm::Problem<T> mine = p.all;
      mine.a += std::int64_t{first_row[expert]} * mine.k;
      mine.b += std::int64_t{expert} * mine.n * mine.k;
      mine.c += std::int64_t{first_row[expert]} * mine.n;
      mine.m = rows;
      gemm::compute_tile<T, kTileN>(mine, index);
      return;
    }
    index -= tiles;
  }
}

// Rows of a are sorted by expert, and expert e multiplies its own by its weights b[e]^T; sums in f32.
class GroupedGemm final : public opgate::Op {
 public:
  void set_up(const Call& call) override {
    gemm::require_tiles(call.workload, extent(call.workload, "k"));
    const int experts = extent(call.workload, "experts");
    const int rows = extent(call.workload, "rows");
    const int n = extent(call.workload, "n");
    require(experts <= kMostExperts, call.workload, "more than 256 experts", "use at most 256");
    upload_rows(rows, experts);
    const std::int64_t tile_rows = std::int64_t{rows} / kTileM + experts;
    wide_ = gemm::tile_width(tile_rows, n, multiprocessors(), {128, 64}) == 128;
    blocks_ = blocks_for(tile_rows * gemm::ceil_div(n, wide_ ? 128 : 64), 1, call.workload);
    shared_bytes_ = wide_ ? Tile<128>::kSharedBytes : Tile<64>::kSharedBytes;
    visit(call, [&](auto tag) {
      OPGATE_CUDA(cudaFuncSetAttribute(kernel_of<typename decltype(tag)::type>(),
                                       cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes_));
    });
  }

  void run(const Call& call) override {
    visit(call, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const Problem<T> problem{{call.in["a"].as<T>(), call.in["b"].as<T>(), call.out["c"].as<T>(),
                                extent(call.workload, "rows"), extent(call.workload, "n"), extent(call.workload, "k")},
                               first_row_.as<int>(),
                               extent(call.workload, "experts")};
      kernel_of<T>()<<<blocks_, gemm::kTileThreads, static_cast<std::size_t>(shared_bytes_), call.stream>>>(problem);
    });
    OPGATE_LAUNCHED();
  }

 private:
  template <class Body>
  static void visit(const Call& call, Body&& body) {
    opgate::visit_types<__nv_bfloat16>(call.workload.dtype, body);
  }

  template <class T>
  auto kernel_of() const -> void (*)(Problem<T>) {
    return wide_ ? grouped_kernel<T, 128> : grouped_kernel<T, 64>;
  }

  // The load of specs/grouped_gemm.json: each expert gets one share more than the one before it.
  void upload_rows(std::int64_t rows, std::int64_t experts) {
    std::vector<int> first_row;
    for (std::int64_t e = 0; e <= experts; ++e) {
      first_row.push_back(static_cast<int>(rows * e * (e + 1) / (experts * (experts + 1))));
    }
    const std::size_t bytes = first_row.size() * sizeof(int);
    first_row_.allocate(bytes);
    OPGATE_CUDA(cudaMemcpy(first_row_.as<int>(), first_row.data(), bytes, cudaMemcpyHostToDevice));
  }

  DeviceMemory first_row_;
  bool wide_ = false;
  unsigned blocks_ = 0;
  int shared_bytes_ = 0;
};

OPGATE_OP(grouped_gemm, GroupedGemm)

}  // namespace
}  // namespace ops::grouped_gemm
