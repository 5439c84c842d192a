#include "../elementwise.cuh"

namespace ops::cast {
namespace {

struct Same {
  __device__ float operator()(float x) const { return x; }
};

// y = x rounded from f32 to f16, bf16 or f8e4m3 (which saturates at 448).
class Cast final : public opgate::Op {
 public:
  void run(const opgate::Call& call) override {
    opgate::visit_types<__half, __nv_bfloat16, __nv_fp8_e4m3>(call.workload.dtype, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const MapInputs<float, 1> in{{call.in["x"].as<float>()}};
      launch_map(call, Same{}, in, call.out["y"].as<T>(), call.out["y"].elements());
    });
  }
};

OPGATE_OP(cast, Cast)

}  // namespace
}  // namespace ops::cast
