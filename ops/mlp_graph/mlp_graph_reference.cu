#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::mlp_graph {
namespace {

constexpr int kWarps = 8;

__device__ double value_of(double value) {
  return value;
}
__device__ double value_of(__nv_bfloat16 value) {
  return opgate::to_f64(value);
}

// A warp's sum of a[i] b[i], in f64, in its first lane.
template <class A>
__device__ double warp_dot(const A* a, const __nv_bfloat16* b, std::int64_t length) {
  double sum = 0;
  for (std::int64_t i = threadIdx.x; i < length; i += 32) sum += value_of(a[i]) * value_of(b[i]);
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xFFFFFFFFU, sum, offset);
  return sum;
}

__global__ void activation_kernel(const __nv_bfloat16* x, const __nv_bfloat16* gate_up, double* activation,
                                  std::int64_t hidden, std::int64_t inter) {
  const std::int64_t token = blockIdx.y;
  const std::int64_t i = std::int64_t{blockIdx.x} * kWarps + threadIdx.y;
  if (i >= inter) return;
  const double gate = warp_dot(x + token * hidden, gate_up + i * hidden, hidden);
  const double up = warp_dot(x + token * hidden, gate_up + (inter + i) * hidden, hidden);
  if (threadIdx.x == 0) activation[token * inter + i] = gate / (1 + exp(-gate)) * up;
}

__global__ void down_kernel(const double* activation, const __nv_bfloat16* down, double* y, std::int64_t hidden,
                            std::int64_t inter) {
  const std::int64_t token = blockIdx.y;
  const std::int64_t i = std::int64_t{blockIdx.x} * kWarps + threadIdx.y;
  if (i >= hidden) return;
  const double sum = warp_dot(activation + token * inter, down + i * inter, inter);
  if (threadIdx.x == 0) y[token * hidden + i] = sum;
}

dim3 grid(std::int64_t columns, std::int64_t tokens) {
  return {static_cast<unsigned>((columns + kWarps - 1) / kWarps), static_cast<unsigned>(tokens)};
}

// No step is rounded between the kernels.
void reference(const opgate::Call& call) {
  const std::int64_t tokens = call.workload.dim("tokens");
  const std::int64_t hidden = call.workload.dim("hidden");
  const std::int64_t inter = call.workload.dim("inter");
  double* activation = nullptr;
  OPGATE_CUDA(cudaMallocAsync(&activation, static_cast<std::size_t>(tokens * inter) * sizeof(double), call.stream));
  activation_kernel<<<grid(inter, tokens), dim3(32, kWarps), 0, call.stream>>>(
      call.in["x"].as<__nv_bfloat16>(), call.in["gate_up"].as<__nv_bfloat16>(), activation, hidden, inter);
  OPGATE_LAUNCHED();
  down_kernel<<<grid(hidden, tokens), dim3(32, kWarps), 0, call.stream>>>(
      activation, call.in["down"].as<__nv_bfloat16>(), call.out["y"].as<double>(), hidden, inter);
  OPGATE_LAUNCHED();
  OPGATE_CUDA(cudaFreeAsync(activation, call.stream));
}

OPGATE_REFERENCE(mlp_graph, reference)

}  // namespace
}  // namespace ops::mlp_graph
