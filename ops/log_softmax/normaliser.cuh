#pragma once

#include <cuda_runtime.h>

namespace ops::log_softmax {

// What a part of a row knows of the whole row's normaliser.
struct Normaliser {
  float largest;
  float sum;  // of exp(x - largest)
};

struct Merge {
  __device__ Normaliser operator()(Normaliser a, Normaliser b) const {
    const float largest = fmaxf(a.largest, b.largest);
    return {largest, a.sum * __expf(a.largest - largest) + b.sum * __expf(b.largest - largest)};
  }
};

// The largest of a part is never -inf, whose difference to another's is.
inline constexpr float kLeastLargest = -3.0e38F;

}  // namespace ops::log_softmax
