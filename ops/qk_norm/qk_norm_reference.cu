#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::qk_norm {
namespace {

constexpr int kThreads = 128;

// One block per row, everything in f64; each thread adds up the whole row for itself.
template <class T>
__global__ void reference_kernel(const T* x, const T* w, double* y, std::int64_t columns, double eps) {
  const T* row = x + blockIdx.x * columns;
  double sum = 0;
  for (std::int64_t i = 0; i < columns; ++i) sum += opgate::to_f64(row[i]) * opgate::to_f64(row[i]);
  const double rms = sqrt(sum / static_cast<double>(columns) + eps);
  for (std::int64_t i = threadIdx.x; i < columns; i += kThreads) {
    y[blockIdx.x * columns + i] = opgate::to_f64(row[i]) / rms * opgate::to_f64(w[i]);
  }
}

void reference(const opgate::Call& call) {
  const double eps = call.workload.param("eps");
  opgate::visit_types<__nv_bfloat16>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T><<<static_cast<unsigned>(call.workload.dim("q_rows")), kThreads, 0, call.stream>>>(
        call.in["q"].as<T>(), call.in["q_weight"].as<T>(), call.out["q_out"].as<double>(), call.workload.dim("q_cols"),
        eps);
    OPGATE_LAUNCHED();
    reference_kernel<T><<<static_cast<unsigned>(call.workload.dim("k_rows")), kThreads, 0, call.stream>>>(
        call.in["k"].as<T>(), call.in["k_weight"].as<T>(), call.out["k_out"].as<double>(), call.workload.dim("k_cols"),
        eps);
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(qk_norm, reference)

}  // namespace
}  // namespace ops::qk_norm
