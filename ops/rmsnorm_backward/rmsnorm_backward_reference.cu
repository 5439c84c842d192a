#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::rmsnorm_backward {
namespace {

constexpr int kThreads = 256;

__device__ double total_of(double mine, double* shares) {
  shares[threadIdx.x] = mine;
  __syncthreads();
  double total = 0;
  for (int i = 0; i < kThreads; ++i) total += shares[i];
  __syncthreads();
  return total;
}

// One block per row, in f64: dx by the derivative of x_i / rms * w_i, and 1 / rms for dw.
template <class T>
__global__ void reference_rows(const T* dy, const T* x, const T* w, double* dx, double* inverse_rms,
                               std::int64_t columns, double eps) {
  __shared__ double shares[kThreads];
  const std::int64_t base = std::int64_t{blockIdx.x} * columns;
  double squares = 0;
  double products = 0;
  for (std::int64_t i = threadIdx.x; i < columns; i += kThreads) {
    const double value = opgate::to_f64(x[base + i]);
    squares += value * value;
    products += opgate::to_f64(dy[base + i]) * opgate::to_f64(w[i]) * value;
  }
  const double rms = sqrt(total_of(squares, shares) / static_cast<double>(columns) + eps);
  const double product = total_of(products, shares);
  for (std::int64_t i = threadIdx.x; i < columns; i += kThreads) {
    const double own = opgate::to_f64(dy[base + i]) * opgate::to_f64(w[i]) / rms;
    dx[base + i] = own - opgate::to_f64(x[base + i]) * product / (static_cast<double>(columns) * rms * rms * rms);
  }
  if (threadIdx.x == 0) inverse_rms[blockIdx.x] = 1.0 / rms;
}

// One block per column.
template <class T>
__global__ void reference_weights(const T* dy, const T* x, const double* inverse_rms, double* dw, std::int64_t rows,
                                  std::int64_t columns) {
  __shared__ double shares[kThreads];
  double mine = 0;
  for (std::int64_t row = threadIdx.x; row < rows; row += kThreads) {
    const std::int64_t i = row * columns + blockIdx.x;
    mine += opgate::to_f64(dy[i]) * opgate::to_f64(x[i]) * inverse_rms[row];
  }
  const double total = total_of(mine, shares);
  if (threadIdx.x == 0) dw[blockIdx.x] = total;
}

void reference(const opgate::Call& call) {
  const std::int64_t rows = call.workload.dim("rows");
  const std::int64_t columns = call.workload.dim("cols");
  double* inverse_rms = nullptr;
  OPGATE_CUDA(cudaMallocAsync(&inverse_rms, static_cast<std::size_t>(rows) * sizeof(double), call.stream));
  opgate::visit_types<float, __half, __nv_bfloat16>(call.workload.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_rows<T><<<static_cast<unsigned>(rows), kThreads, 0, call.stream>>>(
        call.in["dy"].as<T>(), call.in["x"].as<T>(), call.in["w"].as<T>(), call.out["dx"].as<double>(), inverse_rms,
        columns, call.workload.param("eps"));
    reference_weights<T><<<static_cast<unsigned>(columns), kThreads, 0, call.stream>>>(
        call.in["dy"].as<T>(), call.in["x"].as<T>(), inverse_rms, call.out["dw"].as<double>(), rows, columns);
  });
  OPGATE_LAUNCHED();
  OPGATE_CUDA(cudaFreeAsync(inverse_rms, call.stream));
}

OPGATE_REFERENCE(rmsnorm_backward, reference)

}  // namespace
}  // namespace ops::rmsnorm_backward
