#include <algorithm>
#include <cmath>
#include <cstdint>

#include "../device_memory.hpp"
#include "../extent.hpp"
#include "../multiprocessors.hpp"
#include "decode_kernels.cuh"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::attention_decode {
namespace {

using opgate::Call;

constexpr int kBlocksPerMultiprocessor = 2;
constexpr int kMostInGridYz = 65535;

// One new token per sequence against its cached keys and values; two kernels, so that few long sequences fill the GPU.
class AttentionDecode final : public opgate::Op {
 public:
  void set_up(const Call& call) override {
    batch_ = extent(call.workload, "batch");
    heads_ = extent(call.workload, "heads");
    kv_heads_ = extent(call.workload, "kv_heads");
    keys_ = extent(call.workload, "keys");
    require(call.workload.dim("dim") == kDim, call.workload, "dim is not 128", "use heads of 128");
    require(heads_ % kv_heads_ == 0 && heads_ / kv_heads_ <= kMostGroup, call.workload,
            "heads is no multiple of kv_heads, or more than 16 times as many",
            "use 1 to 16 query heads for each key head");
    require(batch_ <= kMostInGridYz && kv_heads_ <= kMostInGridYz, call.workload, "batch or kv_heads above 65535",
            "split the batch");
    plan_splits();
    const auto entries =
        static_cast<std::size_t>(batch_) * static_cast<std::size_t>(heads_) * static_cast<std::size_t>(splits_);
    partial_.allocate(entries * kDim * sizeof(float));
    scale_.allocate(entries * sizeof(float2));
    visit(call, [](auto tag) {
      OPGATE_CUDA(cudaFuncSetAttribute(split_kernel<typename decltype(tag)::type>,
                                       cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes));
    });
  }

  void run(const Call& call) override {
    visit(call, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const Problem<T> problem{call.in["q"].as<T>(),
                               call.in["k"].as<T>(),
                               call.in["v"].as<T>(),
                               partial_.as<float>(),
                               scale_.as<float2>(),
                               heads_,
                               kv_heads_,
                               keys_,
                               splits_,
                               split_keys_,
                               attention::kLog2e / std::sqrt(static_cast<float>(kDim))};
      const dim3 blocks(static_cast<unsigned>(splits_), static_cast<unsigned>(kv_heads_),
                        static_cast<unsigned>(batch_));
      split_kernel<T><<<blocks, kThreads, kSharedBytes, call.stream>>>(problem);
      OPGATE_LAUNCHED();
      combine_kernel<T><<<blocks_for(std::int64_t{batch_} * heads_, 1, call.workload), kDim, 0, call.stream>>>(
          partial_.as<float>(), scale_.as<float2>(), call.out["y"].as<T>(), splits_);
      OPGATE_LAUNCHED();
    });
  }

 private:
  template <class Body>
  static void visit(const Call& call, Body&& body) {
    opgate::visit_types<__half, __nv_bfloat16>(call.workload.dtype, body);
  }

  // As many splits as the GPU holds at once; each of whole tiles, none empty.
  void plan_splits() {
    const std::int64_t rows = std::int64_t{batch_} * kv_heads_;
    const std::int64_t tiles = (std::int64_t{keys_} + kTileKeys - 1) / kTileKeys;
    const std::int64_t wanted =
        std::clamp<std::int64_t>(std::int64_t{kBlocksPerMultiprocessor} * multiprocessors() / rows, 1, tiles);
    const std::int64_t split_tiles = (tiles + wanted - 1) / wanted;
    splits_ = static_cast<int>((tiles + split_tiles - 1) / split_tiles);
    split_keys_ = static_cast<int>(split_tiles) * kTileKeys;
  }

  DeviceMemory partial_;
  DeviceMemory scale_;
  int batch_ = 0;
  int heads_ = 0;
  int kv_heads_ = 0;
  int keys_ = 0;
  int splits_ = 0;
  int split_keys_ = 0;
};

OPGATE_OP(attention_decode, AttentionDecode)

}  // namespace
}  // namespace ops::attention_decode
