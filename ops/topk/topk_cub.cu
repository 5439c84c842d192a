#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_segmented_radix_sort.cuh>

#include "../device_memory.hpp"
#include "../extent.hpp"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::topk {
namespace {

struct RowOffset {
  std::int64_t columns;
  __host__ __device__ std::int64_t operator()(std::int64_t row) const { return row * columns; }
};

__global__ void count_kernel(std::int32_t* indices, std::int64_t elements, std::int64_t columns) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < elements) indices[i] = static_cast<std::int32_t>(i % columns);
}

// One block per row.
template <class T>
__global__ void head_kernel(const T* sorted, const std::int32_t* order, T* values, std::int32_t* indices,
                            std::int64_t columns, int topk) {
  for (int i = static_cast<int>(threadIdx.x); i < topk; i += static_cast<int>(blockDim.x)) {
    values[std::int64_t{blockIdx.x} * topk + i] = sorted[blockIdx.x * columns + i];
    indices[std::int64_t{blockIdx.x} * topk + i] = order[blockIdx.x * columns + i];
  }
}

// CUB 3.0 selects nothing by rank, so it sorts whole rows.
class CubTopk final : public opgate::Op {
 public:
  void set_up(const opgate::Call& call) override {
    const std::int64_t elements = call.in["x"].elements();
    const auto bytes = static_cast<std::size_t>(elements) * sizeof(std::int32_t);
    indices_.allocate(bytes);
    order_.allocate(bytes);
    sorted_.allocate(call.in["x"].bytes());
    count_kernel<<<blocks_for(elements, 256, call.workload), 256, 0, call.stream>>>(
        indices_.as<std::int32_t>(), elements, call.workload.dim("cols"));
    OPGATE_LAUNCHED();
    each_type(call, [&](auto, auto sort) { storage_.set_up(sort); });
  }

  void run(const opgate::Call& call) override {
    each_type(call, [&](auto tag, auto sort) {
      using T = typename decltype(tag)::type;
      storage_.run(sort);
      head_kernel<T><<<blocks_for(call.workload.dim("rows"), 1, call.workload), 64, 0, call.stream>>>(
          sorted_.as<T>(), order_.as<std::int32_t>(), call.out["values"].as<T>(),
          call.out["indices"].as<std::int32_t>(), call.workload.dim("cols"), extent(call.workload, "topk"));
      OPGATE_LAUNCHED();
    });
  }

 private:
  template <class Body>
  void each_type(const opgate::Call& call, Body&& body) const {
    opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const RowOffset offset{call.workload.dim("cols")};
      const auto begins = thrust::make_transform_iterator(thrust::make_counting_iterator<std::int64_t>(0), offset);
      body(tag, [&, begins](void* storage, std::size_t& bytes) {
        return cub::DeviceSegmentedRadixSort::SortPairsDescending(
            storage, bytes, static_cast<const T*>(call.in["x"].as<T>()), sorted_.as<T>(),
            static_cast<const std::int32_t*>(indices_.as<std::int32_t>()), order_.as<std::int32_t>(),
            call.in["x"].elements(), call.workload.dim("rows"), begins, begins + 1, 0, static_cast<int>(sizeof(T)) * 8,
            call.stream);
      });
    });
  }

  DeviceMemory indices_;
  DeviceMemory order_;
  DeviceMemory sorted_;
  CubStorage storage_;
};

OPGATE_LIBRARY(topk, "cub", CubTopk)

}  // namespace
}  // namespace ops::topk
