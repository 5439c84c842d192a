#include "../elementwise.cuh"

namespace ops::gelu {
namespace {

// x / 2 * (1 + tanh(u)) = x / (1 + exp(-2 u)): one exponential and one division keep the kernel at the memory's rate,
// which erff would not in 16 bits.
struct TanhGelu {
  __device__ float operator()(float x) const {
    constexpr float kTwiceRootTwoOverPi = 1.5957691216F;
    const float twice_u = kTwiceRootTwoOverPi * (x + 0.044715F * x * x * x);
    return __fdividef(x, 1.0F + __expf(-twice_u));
  }
};

// y = gelu(x) in its tanh form (Hendrycks and Gimpel, arXiv:1606.08415), as in Gemma; f32, f16 and bf16.
class Gelu final : public opgate::Op {
 public:
  void run(const opgate::Call& call) override {
    opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const MapInputs<T, 1> in{{call.in["x"].as<T>()}};
      launch_map(call, TanhGelu{}, in, call.out["y"].as<T>(), call.out["y"].elements());
    });
  }
};

OPGATE_OP(gelu, Gelu)

}  // namespace
}  // namespace ops::gelu
