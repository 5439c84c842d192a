#pragma once

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_segmented_reduce.cuh>

#include "device_memory.hpp"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

// What row_sum and row_max have in common with CUB.
namespace ops {

struct RowOffset {
  std::int64_t columns;
  __host__ __device__ std::int64_t operator()(std::int64_t row) const { return row * columns; }
};

// Combine(float, float) accumulates in f32 whatever the dtype of x.
template <class Combine>
class CubRowReduce : public opgate::Op {
 public:
  explicit CubRowReduce(float start) : start_(start) {}

  void set_up(const opgate::Call& call) override {
    each_type(call, [&](auto reduce) { storage_.set_up(reduce); });
  }
  void run(const opgate::Call& call) override {
    each_type(call, [&](auto reduce) { storage_.run(reduce); });
  }

 private:
  template <class Body>
  void each_type(const opgate::Call& call, Body&& body) const {
    opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const RowOffset offset{call.workload.dim("cols")};
      const auto begins = thrust::make_transform_iterator(thrust::make_counting_iterator<std::int64_t>(0), offset);
      body([&, begins](void* storage, std::size_t& bytes) {
        return cub::DeviceSegmentedReduce::Reduce(storage, bytes, static_cast<const T*>(call.in["x"].as<T>()),
                                                  call.out["y"].as<float>(), call.workload.dim("rows"), begins,
                                                  begins + 1, Combine{}, start_, call.stream);
      });
    });
  }

  float start_;
  CubStorage storage_;
};

}  // namespace ops
