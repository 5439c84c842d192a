#include "../row_reduce_cub.cuh"

namespace ops::row_sum {
namespace {

struct Combine {
  __host__ __device__ float operator()(float a, float b) const { return a + b; }
};

class CubRowSum final : public CubRowReduce<Combine> {
 public:
  CubRowSum() : CubRowReduce(0.0F) {}
};

OPGATE_LIBRARY(row_sum, "cub", CubRowSum)

}  // namespace
}  // namespace ops::row_sum
