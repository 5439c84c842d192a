#include "../row_reduce.cuh"

namespace ops::row_max {
namespace {

// y = the max of each row, in f32; x in f32, f16 or bf16.
class RowMax final : public opgate::Op {
 public:
  void run(const opgate::Call& call) override { launch_row_reduce<Largest>(call); }
};

OPGATE_OP(row_max, RowMax)

}  // namespace
}  // namespace ops::row_max
