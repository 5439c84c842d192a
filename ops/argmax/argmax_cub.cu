#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_segmented_reduce.cuh>

#include "../device_memory.hpp"
#include "../extent.hpp"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::argmax {
namespace {

struct RowOffset {
  std::int64_t columns;
  __host__ __device__ std::int64_t operator()(std::int64_t row) const { return row * columns; }
};

template <class Pair>
__global__ void index_kernel(const Pair* pairs, std::int32_t* y, std::int64_t rows) {
  const std::int64_t row = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (row < rows) y[row] = pairs[row].key;
}

class CubArgmax final : public opgate::Op {
 public:
  void set_up(const opgate::Call& call) override {
    each_type(call, [&](auto pair, auto reduce) {
      pairs_.allocate(static_cast<std::size_t>(call.workload.dim("rows")) * sizeof pair);
      storage_.set_up(reduce);
    });
  }
  void run(const opgate::Call& call) override {
    const std::int64_t rows = call.workload.dim("rows");
    each_type(call, [&](auto pair, auto reduce) {
      storage_.run(reduce);
      index_kernel<<<blocks_for(rows, 256, call.workload), 256, 0, call.stream>>>(
          static_cast<const decltype(pair)*>(pairs_.as<decltype(pair)>()), call.out["y"].as<std::int32_t>(), rows);
    });
    OPGATE_LAUNCHED();
  }

 private:
  template <class Body>
  void each_type(const opgate::Call& call, Body&& body) const {
    opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const RowOffset offset{call.workload.dim("cols")};
      const auto begins = thrust::make_transform_iterator(thrust::make_counting_iterator<std::int64_t>(0), offset);
      using Pair = cub::KeyValuePair<int, T>;
      body(Pair{}, [&, begins](void* storage, std::size_t& bytes) {
        return cub::DeviceSegmentedReduce::ArgMax(storage, bytes, static_cast<const T*>(call.in["x"].as<T>()),
                                                  pairs_.as<Pair>(), call.workload.dim("rows"), begins, begins + 1,
                                                  call.stream);
      });
    });
  }

  DeviceMemory pairs_;
  CubStorage storage_;
};

OPGATE_LIBRARY(argmax, "cub", CubArgmax)

}  // namespace
}  // namespace ops::argmax
