#include "opgate/op.hpp"

namespace ops::conv2d {
namespace {

// Built where CMake found no cuDNN: the case fails and says so, where leaving the library out would pass in silence.
class MissingCudnn final : public opgate::Op {
 public:
  void set_up(const opgate::Call& call) override { fail(call); }
  void run(const opgate::Call& call) override { fail(call); }

 private:
  [[noreturn]] static void fail(const opgate::Call& call) {
    throw opgate::Error(
        opgate::ErrorKind::op, "conv2d: the library implementation \"cudnn\" is missing: built without cuDNN",
        call.workload.case_name(),
        "install cuDNN 9 with its headers (libcudnn9-dev-cuda-13) and configure again with -DOPGATE_CUDNN=ON");
  }
};

OPGATE_LIBRARY(conv2d, "cudnn", MissingCudnn)

}  // namespace
}  // namespace ops::conv2d
