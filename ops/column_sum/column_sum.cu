#include "../column_reduce.cuh"

namespace ops::column_sum {
namespace {

// y = the sum of each column.
class ColumnSum final : public ColumnReduce<Sum> {};

OPGATE_OP(column_sum, ColumnSum)

}  // namespace
}  // namespace ops::column_sum
