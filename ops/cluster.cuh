#pragma once

#include <cooperative_groups.h>

#include <cstdint>

#include "opgate/cuda.cuh"
#include "row.cuh"

// Blocks of a cluster (compute capability 9.0) that share what is too long for one.
namespace ops {

// How blocks share rows: `cluster` blocks a row, or several short rows a block.
struct ClusterPlan {
  unsigned cluster;
  unsigned blocks;
  dim3 threads;          // y: rows
  int shared_bytes = 0;  // beside what the kernel declares
};

inline constexpr int kMostInCluster = 8;  // that every device of 9.0 takes

// A cluster is as large as it takes to hold a row of `vectors` in registers, `held` in each thread.
[[nodiscard]] inline ClusterPlan plan_clusters(int vectors, const opgate::Workload& workload, int held = kHeldVectors) {
  const int per_block = kMaxRowThreads * held;
  int cluster = 1;
  while (cluster < kMostInCluster && std::int64_t{cluster} * per_block < vectors) cluster *= 2;
  const unsigned across = row_threads((vectors + cluster - 1) / cluster);
  const unsigned rows_at_once = across == kWarpThreads ? kWarpRows : 1;
  const std::int64_t rows = (workload.dim("rows") + rows_at_once - 1) / rows_at_once;
  return {static_cast<unsigned>(cluster), blocks_for(rows * cluster, 1, workload), dim3(across, rows_at_once)};
}

// For rows that are read once and need not be held: shared by a cluster only where they are too few for the device.
[[nodiscard]] inline ClusterPlan plan_reduction(int vectors, const opgate::Workload& workload) {
  constexpr int kThreads = 256;
  if (workload.dim("rows") < kManyRows || vectors <= kMaxRowThreads * kHeldVectors) {
    return plan_clusters(vectors, workload);
  }
  return {1, blocks_for(workload.dim("rows"), 1, workload), dim3(kThreads)};
}

// What a launch is told; it points into itself.
class ClusterLaunch {
 public:
  ClusterLaunch(const ClusterPlan& plan, cudaStream_t stream) {
    attribute_.id = cudaLaunchAttributeClusterDimension;
    attribute_.val.clusterDim.x = plan.cluster;
    attribute_.val.clusterDim.y = 1;
    attribute_.val.clusterDim.z = 1;
    config_.gridDim = dim3(plan.blocks);
    config_.blockDim = plan.threads;
    config_.dynamicSmemBytes = static_cast<std::size_t>(plan.shared_bytes);
    config_.stream = stream;
    config_.attrs = &attribute_;
    config_.numAttrs = plan.cluster > 1 ? 1 : 0;
  }
  ClusterLaunch(const ClusterLaunch&) = delete;
  ClusterLaunch& operator=(const ClusterLaunch&) = delete;
  [[nodiscard]] const cudaLaunchConfig_t& config() const { return config_; }

 private:
  cudaLaunchAttribute attribute_{};
  cudaLaunchConfig_t config_{};
};

template <class... Parameters, class... Arguments>
void launch_clusters(void (*kernel)(Parameters...), const ClusterPlan& plan, cudaStream_t stream,
                     Arguments... arguments) {
  const ClusterLaunch launch(plan, stream);
  OPGATE_CUDA(cudaLaunchKernelEx(&launch.config(), kernel, arguments...));
}

// Clusters that the device holds at once; the kernel gets the shared memory of the plan.
template <class... Parameters>
[[nodiscard]] int resident_clusters(void (*kernel)(Parameters...), const ClusterPlan& plan) {
  int clusters = 0;
  OPGATE_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, plan.shared_bytes));
  OPGATE_CUDA(cudaOccupancyMaxActiveClusters(&clusters, kernel, &ClusterLaunch(plan, nullptr).config()));
  return clusters;
}

// The part of a row that is this block's.
struct RowSlice {
  std::int64_t row;  // beyond the last for warps that have none
  int first;         // vector
  int vectors;       // none in the last blocks of a cluster, when the row is short
};

__device__ inline RowSlice row_slice(int vectors) {
  const auto cluster = cooperative_groups::this_cluster();
  const auto blocks = static_cast<int>(cluster.num_blocks());
  const int share = (vectors + blocks - 1) / blocks;
  const int first = min(vectors, static_cast<int>(cluster.block_rank()) * share);
  const std::int64_t row = std::int64_t{blockIdx.x / cluster.num_blocks()} * blockDim.y + threadIdx.y;
  return {row, first, min(share, vectors - first)};
}

// In one thread of those that did a row.
__device__ inline bool is_row_leader() {
  return threadIdx.x == 0 && cooperative_groups::this_cluster().block_rank() == 0;
}

// The blocks' `mine` combined, in all threads of the cluster. `slot` is in shared memory, `mine` the same in all
// threads of a block. All blocks have read before any goes on, so none ends too early.
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
