#include "../row_reduce_cub.cuh"

namespace ops::row_max {
namespace {

struct Combine {
  __host__ __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

class CubRowMax final : public CubRowReduce<Combine> {
 public:
  CubRowMax() : CubRowReduce(-INFINITY) {}
};

OPGATE_LIBRARY(row_max, "cub", CubRowMax)

}  // namespace
}  // namespace ops::row_max
