#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::attention_prefill {
namespace {

constexpr int kThreads = 128;

struct Shape {
  std::int64_t seq, heads, kv_heads, dim;
};

// One block per query and head, everything in f64. Each tile of 128 keys brings the sums so far to its largest score.
template <class T>
__global__ void reference_kernel(const T* q, const T* k, const T* v, double* y, Shape s) {
  __shared__ double query[kThreads];
  __shared__ double scores[kThreads];
  __shared__ double weights[kThreads];
  const std::int64_t row = blockIdx.x;
  const std::int64_t head = blockIdx.y;
  const std::int64_t batch = blockIdx.z;
  const std::int64_t at = ((batch * s.seq + row) * s.heads + head) * s.dim + threadIdx.x;
  const std::int64_t kv_head = head * s.kv_heads / s.heads;
  const T* keys = k + (batch * s.seq * s.kv_heads + kv_head) * s.dim;
  const T* values = v + (batch * s.seq * s.kv_heads + kv_head) * s.dim;
  const std::int64_t pitch = s.kv_heads * s.dim;
  if (threadIdx.x < s.dim) query[threadIdx.x] = opgate::to_f64(q[at]) / sqrt(static_cast<double>(s.dim));
  __syncthreads();
  double largest = -INFINITY;
  double total = 0;
  double sum = 0;  // of dimension threadIdx.x
  for (std::int64_t j0 = 0; j0 <= row; j0 += kThreads) {
    const std::int64_t j = j0 + threadIdx.x;
    double score = 0;
    for (std::int64_t i = 0; i < s.dim && j <= row; ++i) score += query[i] * opgate::to_f64(keys[j * pitch + i]);
    scores[threadIdx.x] = j <= row ? score : -INFINITY;
    __syncthreads();
    double now = largest;
    for (int i = 0; i < kThreads; ++i) now = fmax(now, scores[i]);
    total *= exp(largest - now);
    sum *= exp(largest - now);
    largest = now;
    weights[threadIdx.x] = exp(scores[threadIdx.x] - now);
    __syncthreads();
    for (std::int64_t i = 0; i < kThreads && j0 + i <= row; ++i) {
      total += weights[i];
      if (threadIdx.x < s.dim) sum += weights[i] * opgate::to_f64(values[(j0 + i) * pitch + threadIdx.x]);
    }
    __syncthreads();
  }
  if (threadIdx.x < s.dim) y[at] = sum / total;
}

void reference(const opgate::Call& call) {
  const opgate::Workload& w = call.workload;
  if (w.dim("dim") > kThreads) {
    throw opgate::Error(opgate::ErrorKind::op, "attention_prefill: the reference has 128 threads for dim",
                        w.case_name(), "use heads of at most 128");
  }
  const dim3 blocks(static_cast<unsigned>(w.dim("seq")), static_cast<unsigned>(w.dim("heads")),
                    static_cast<unsigned>(w.dim("batch")));
  opgate::visit_types<__half, __nv_bfloat16>(w.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T><<<blocks, kThreads, 0, call.stream>>>(
        call.in["q"].as<T>(), call.in["k"].as<T>(), call.in["v"].as<T>(), call.out["y"].as<double>(),
        Shape{w.dim("seq"), w.dim("heads"), w.dim("kv_heads"), w.dim("dim")});
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(attention_prefill, reference)

}  // namespace
}  // namespace ops::attention_prefill
