#include "../column_reduce.cuh"

namespace ops::column_max {
namespace {

// y = the largest element of each column.
class ColumnMax final : public ColumnReduce<Largest> {};

OPGATE_OP(column_max, ColumnMax)

}  // namespace
}  // namespace ops::column_max
