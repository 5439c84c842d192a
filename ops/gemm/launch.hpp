#pragma once

#include <cstddef>
#include <cstdint>

#include "opgate/cuda.cuh"

namespace ops::gemm {

// How a kernel that takes one problem is launched: settled in set_up, where it may be asked for more shared memory than
// usual, so that nothing but the launch itself is left to a call or a capture.
struct Launch {
  const void* kernel = nullptr;
  unsigned blocks = 0;
  unsigned threads = 0;
  std::size_t shared_bytes = 0;
  unsigned cluster = 1;  // blocks

  template <class Problem>
  void operator()(Problem problem, cudaStream_t stream) const {
    void* arguments[] = {&problem};
    cudaLaunchAttribute of_cluster{};
    of_cluster.id = cudaLaunchAttributeClusterDimension;
    of_cluster.val.clusterDim = {cluster, 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = &of_cluster;
    config.numAttrs = cluster > 1 ? 1 : 0;
    OPGATE_CUDA(cudaLaunchKernelExC(&config, kernel, arguments));
  }
};

template <class Problem>
[[nodiscard]] Launch launch_of(void (*kernel)(Problem), std::int64_t blocks, int threads, int shared_bytes,
                               int cluster = 1) {
  OPGATE_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
  return {reinterpret_cast<const void*>(kernel), static_cast<unsigned>(blocks), static_cast<unsigned>(threads),
          static_cast<std::size_t>(shared_bytes), static_cast<unsigned>(cluster)};
}

}  // namespace ops::gemm
