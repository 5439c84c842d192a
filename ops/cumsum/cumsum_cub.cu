#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_scan.cuh>

#include "../device_memory.hpp"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::cumsum {
namespace {

struct RowOf {
  std::int64_t columns;
  __host__ __device__ std::int64_t operator()(std::int64_t element) const { return element / columns; }
};

// One row is a plain scan, several are one by key.
class CubCumsum final : public opgate::Op {
 public:
  void set_up(const opgate::Call& call) override {
    each_type(call, [&](auto scan) { storage_.set_up(scan); });
  }
  void run(const opgate::Call& call) override {
    each_type(call, [&](auto scan) { storage_.run(scan); });
  }

 private:
  template <class Body>
  static void each_type(const opgate::Call& call, Body&& body) {
    opgate::visit_types<float, std::int32_t>(call.workload.dtype, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const T* x = call.in["x"].as<T>();
      T* y = call.out["y"].as<T>();
      const std::int64_t elements = call.in["x"].elements();
      if (call.workload.dim("rows") == 1) {
        body([&, x, y](void* storage, std::size_t& bytes) {
          return cub::DeviceScan::InclusiveSum(storage, bytes, x, y, elements, call.stream);
        });
        return;
      }
      const RowOf row_of{call.workload.dim("cols")};
      const auto rows = thrust::make_transform_iterator(thrust::make_counting_iterator<std::int64_t>(0), row_of);
      body([&, x, y, rows](void* storage, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveSumByKey(storage, bytes, rows, x, y, elements, cuda::std::equal_to<>{},
                                                  call.stream);
      });
    });
  }

  CubStorage storage_;
};

OPGATE_LIBRARY(cumsum, "cub", CubCumsum)

}  // namespace
}  // namespace ops::cumsum
