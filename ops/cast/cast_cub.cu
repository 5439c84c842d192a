#include <cub/device/device_transform.cuh>

#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::cast {
namespace {

template <class T>
struct Rounded {
  __device__ T operator()(float x) const { return static_cast<T>(x); }
};

class CubCast final : public opgate::Op {
 public:
  void run(const opgate::Call& call) override {
    opgate::visit_types<__half, __nv_bfloat16, __nv_fp8_e4m3>(call.workload.dtype, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const float* x = call.in["x"].as<float>();
      OPGATE_CUDA(cub::DeviceTransform::Transform(x, call.out["y"].as<T>(), call.out["y"].elements(), Rounded<T>{},
                                                  call.stream));
    });
  }
};

OPGATE_LIBRARY(cast, "cub", CubCast)

}  // namespace
}  // namespace ops::cast
