#pragma once

#include <cstdint>

#include "../device_memory.hpp"
#include "../extent.hpp"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"
#include "place_kernels.cuh"

namespace ops::moe {

// Launches the kernels that place rows, for an op with the input experts_of[tokens, topk].
class Placing {
 public:
  void set_up(const opgate::Call& call) {
    const std::int64_t slots = std::int64_t{extent(call.workload, "tokens")} * extent(call.workload, "topk");
    experts_ = extent(call.workload, "experts");
    require(experts_ <= kMostExperts, call.workload, "more than 256 experts", "use at most 256");
    require(slots <= std::numeric_limits<std::int32_t>::max() / 2, call.workload, "more than 2^30 rows",
            "use fewer tokens");
    slots_ = static_cast<int>(slots);
    chunks_ = (slots_ + kChunk - 1) / kChunk;
    counts_.allocate(static_cast<std::size_t>(chunks_) * static_cast<std::size_t>(experts_) * sizeof(int));
  }

  void run(const opgate::Call& call, int* positions, int* ends) const {
    const Routing routing{
        call.in["experts_of"].as<int>(), counts_.as<int>(), positions, ends, slots_, experts_, chunks_};
    count_kernel<<<static_cast<unsigned>(chunks_), kChunk, 0, call.stream>>>(routing);
    OPGATE_LAUNCHED();
    place_kernel<<<static_cast<unsigned>(chunks_), kChunk, 0, call.stream>>>(routing);
    OPGATE_LAUNCHED();
  }

  [[nodiscard]] int slots() const noexcept { return slots_; }

 private:
  DeviceMemory counts_;
  int slots_ = 0;
  int experts_ = 0;
  int chunks_ = 0;
};

}  // namespace ops::moe
