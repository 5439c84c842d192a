#pragma once

#include "opgate/cuda.cuh"

namespace ops {

// Of the current device.
[[nodiscard]] inline int multiprocessors() {
  int device = 0;
  int count = 0;
  OPGATE_CUDA(cudaGetDevice(&device));
  OPGATE_CUDA(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return count;
}

}  // namespace ops
