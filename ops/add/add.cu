#include "../elementwise.cuh"

namespace ops::add {
namespace {

struct Total {
  __device__ float operator()(float a, float b) const { return a + b; }
};

// c = a + b element by element; f32, f16 and bf16.
class Add final : public opgate::Op {
 public:
  void run(const opgate::Call& call) override {
    opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const MapInputs<T, 2> in{{call.in["a"].as<T>(), call.in["b"].as<T>()}};
      launch_map(call, Total{}, in, call.out["c"].as<T>(), call.out["c"].elements());
    });
  }
};

OPGATE_OP(add, Add)

}  // namespace
}  // namespace ops::add
