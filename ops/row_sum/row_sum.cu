#include "../row_reduce.cuh"

namespace ops::row_sum {
namespace {

// y = the sum of each row, in f32; x in f32, f16 or bf16.
class RowSum final : public opgate::Op {
 public:
  void run(const opgate::Call& call) override { launch_row_reduce<Sum>(call); }
};

OPGATE_OP(row_sum, RowSum)

}  // namespace
}  // namespace ops::row_sum
