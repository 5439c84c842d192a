#include "conv_kernel.cuh"
#include "conv_shape.hpp"
#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::conv2d {
namespace {

using opgate::Call;

// y = the cross-correlation of x with each filter, channels last, sums in f32.
class Conv2d final : public opgate::Op {
 public:
  void set_up(const Call& call) override {
    shape_ = shape_of(call.workload);
    require(shape_.c % 8 == 0 && shape_.filters % 8 == 0, call.workload, "c or filters is not a multiple of 8",
            "pad the channels to a multiple of 8; they are copied in pieces of 16 bytes");
    pixels_ = shape_.batch * shape_.p * shape_.q;
    constexpr int kMostInGridY = 65535;
    require(shape_.filters <= kMostInGridY * kTile, call.workload, "too many filters for one grid", "split them");
    blocks_ = dim3(blocks_for(pixels_, kTile, call.workload), blocks_for(shape_.filters, kTile, call.workload));
    visit(call, [](auto tag) {
      OPGATE_CUDA(cudaFuncSetAttribute(conv_kernel<typename decltype(tag)::type>,
                                       cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes));
    });
  }

  void run(const Call& call) override {
    visit(call, [&](auto tag) {
      using T = typename decltype(tag)::type;
      const Problem<T> problem{call.in["x"].as<T>(),
                               call.in["filter"].as<T>(),
                               call.out["y"].as<T>(),
                               shape_.h,
                               shape_.w,
                               shape_.c,
                               shape_.filters,
                               shape_.r,
                               shape_.s,
                               shape_.p,
                               shape_.q,
                               shape_.stride,
                               shape_.pad,
                               pixels_};
      conv_kernel<T><<<blocks_, kThreads, kSharedBytes, call.stream>>>(problem);
    });
    OPGATE_LAUNCHED();
  }

 private:
  template <class Body>
  static void visit(const Call& call, Body&& body) {
    opgate::visit_types<__half, __nv_bfloat16>(call.workload.dtype, body);
  }

  Shape shape_{};
  int pixels_ = 0;
  dim3 blocks_;
};

OPGATE_OP(conv2d, Conv2d)

}  // namespace
}  // namespace ops::conv2d
