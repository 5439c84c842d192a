#include "column_sum.cuh"

#include "../multiprocessors.hpp"
#include "../row.cuh"
#include "opgate/op.hpp"

namespace ops::column_sum {
namespace {

// y = the sum of each column, in f32; x in f32, f16 or bf16. Two kernels: sums of chunks of rows, and their sums.
class ColumnSum final : public opgate::Op {
 public:
  void set_up(const opgate::Call& call) override {
    rows_ = call.workload.dim("rows");
    columns_ = extent(call.workload, "cols");
    visit_rows<float, __half, __nv_bfloat16>(call.workload, columns_, [&](auto, auto count) {
      strips_ = blocks_for(columns_ / count(), kLanes, call.workload);
    });
    const std::int64_t wanted = std::int64_t{multiprocessors()} * kBlocksPerProcessor / strips_;
    const std::int64_t most = (rows_ + kWarps * kInFlight - 1) / (kWarps * kInFlight);
    const std::int64_t chunks = std::clamp<std::int64_t>(wanted, 1, most);
    rows_per_chunk_ = (rows_ + chunks - 1) / chunks;
    chunks_ = static_cast<int>((rows_ + rows_per_chunk_ - 1) / rows_per_chunk_);
    partials_.allocate(static_cast<std::size_t>(chunks_) * static_cast<std::size_t>(columns_) * sizeof(float));
  }

  void run(const opgate::Call& call) override {
    const dim3 blocks(strips_, static_cast<unsigned>(chunks_));
    visit_rows<float, __half, __nv_bfloat16>(call.workload, columns_, [&](auto tag, auto count) {
      using T = typename decltype(tag)::type;
      chunk_sums_kernel<T, count()><<<blocks, dim3(kLanes, kWarps), 0, call.stream>>>(
          call.in["x"].as<T>(), partials_.as<float>(), rows_, columns_, rows_per_chunk_);
    });
    OPGATE_LAUNCHED();
    launch_add_chunks(partials_.as<float>(), call.out["y"].as<float>(), columns_, chunks_, call);
  }

 private:
  std::int64_t rows_ = 0;
  std::int64_t rows_per_chunk_ = 0;
  int columns_ = 0;
  int chunks_ = 0;
  unsigned strips_ = 0;
  DeviceMemory partials_;
};

OPGATE_OP(column_sum, ColumnSum)

}  // namespace
}  // namespace ops::column_sum
