#pragma once

#include <cooperative_groups.h>

#include "opgate/cuda.cuh"

// Blocks of a cluster (compute capability 9.0) that share what is too long for one.
namespace ops {

// A power of two up to 8, the largest cluster that every device of 9.0 takes.
[[nodiscard]] inline unsigned cluster_for(std::int64_t blocks_wanted) {
  unsigned blocks = 1;
  while (blocks < 8 && blocks < blocks_wanted) blocks *= 2;
  return blocks;
}

// `blocks` is a multiple of `cluster`.
template <class... Parameters, class... Arguments>
void launch_clusters(void (*kernel)(Parameters...), unsigned blocks, unsigned cluster, unsigned threads,
                     cudaStream_t stream, Arguments... arguments) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(threads);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  OPGATE_CUDA(cudaLaunchKernelEx(&config, kernel, arguments...));
}

// Every block's `mine`, by its rank, in all blocks' all threads. `slots` are in shared memory, `mine` is the same in
// all threads of a block, Part is trivially copyable. All blocks have read before any goes on, so none ends too early.
template <class Part, class Combine>
__device__ Part cluster_reduce(Part mine, Part* slot, Combine combine) {
  const auto cluster = cooperative_groups::this_cluster();
  if (cluster.num_blocks() == 1) return mine;
  if (threadIdx.x == 0) *slot = mine;
  cluster.sync();
  Part result = *cluster.map_shared_rank(slot, 0);
  for (unsigned rank = 1; rank < cluster.num_blocks(); ++rank) {
    result = combine(result, *cluster.map_shared_rank(slot, rank));
  }
  cluster.sync();
  return result;
}

}  // namespace ops
