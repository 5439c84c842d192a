#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "opgate/error.hpp"

namespace opgate::measure {

inline void check_cuda(cudaError_t status, const char* call) {
  if (status != cudaSuccess) {
    throw Error(ErrorKind::cuda, std::string(cudaGetErrorName(status)) + ": " + cudaGetErrorString(status), call);
  }
}

}  // namespace opgate::measure
