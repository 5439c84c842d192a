#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::attention_decode {
namespace {

constexpr int kThreads = 128;

template <class T>
__device__ double dot(const T* a, const T* b, std::int64_t dim) {
  double sum = 0;
  for (std::int64_t i = 0; i < dim; ++i) sum += opgate::to_f64(a[i]) * opgate::to_f64(b[i]);
  return sum;
}

// One block per query head, everything in f64: the largest score first, then all weights, 128 keys at a time.
template <class T>
__global__ void reference_kernel(const T* q, const T* k, const T* v, double* y, std::int64_t heads,
                                 std::int64_t kv_heads, std::int64_t keys, std::int64_t dim) {
  __shared__ double values[kThreads];
  const std::int64_t batch = blockIdx.x / heads;
  const std::int64_t kv_head = batch * kv_heads + blockIdx.x % heads / (heads / kv_heads);
  const T* query = q + blockIdx.x * dim;
  const T* cached_keys = k + kv_head * keys * dim;
  const T* cached_values = v + kv_head * keys * dim;
  double largest = -INFINITY;
  for (std::int64_t j = threadIdx.x; j < keys; j += kThreads)
    largest = fmax(largest, dot(query, cached_keys + j * dim, dim));
  values[threadIdx.x] = largest;
  __syncthreads();
  for (int i = 0; i < kThreads; ++i) largest = fmax(largest, values[i]);
  __syncthreads();
  const double scale = 1 / sqrt(static_cast<double>(dim));
  double total = 0;
  double sum = 0;  // of dimension threadIdx.x
  for (std::int64_t j0 = 0; j0 < keys; j0 += kThreads) {
    const std::int64_t j = j0 + threadIdx.x;
    values[threadIdx.x] = j < keys ? exp((dot(query, cached_keys + j * dim, dim) - largest) * scale) : 0.0;
    __syncthreads();
    for (std::int64_t i = 0; i < kThreads && j0 + i < keys; ++i) {
      total += values[i];
      if (threadIdx.x < dim) sum += values[i] * opgate::to_f64(cached_values[(j0 + i) * dim + threadIdx.x]);
    }
    __syncthreads();
  }
  if (threadIdx.x < dim) y[blockIdx.x * dim + threadIdx.x] = sum / total;
}

void reference(const opgate::Call& call) {
  if (call.workload.dim("dim") > kThreads) {
    throw opgate::Error(opgate::ErrorKind::op, "attention_decode: the reference has 128 threads for dim",
                        call.workload.case_name(), "use heads of at most 128");
  }
  const auto blocks = static_cast<unsigned>(call.workload.dim("batch") * call.workload.dim("heads"));
  opgate::visit_types<__half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T><<<blocks, kThreads, 0, call.stream>>>(
        call.in["q"].as<T>(), call.in["k"].as<T>(), call.in["v"].as<T>(), call.out["y"].as<double>(),
        call.workload.dim("heads"), call.workload.dim("kv_heads"), call.workload.dim("keys"), call.workload.dim("dim"));
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(attention_decode, reference)

}  // namespace
}  // namespace ops::attention_decode
