#include "opgate/cuda.cuh"
#include "opgate/op.hpp"

namespace ops::conv2d {
namespace {

constexpr int kThreads = 128;

struct Sizes {
  std::int64_t batch, h, w, c, filters, r, s, p, q, stride, pad;
};

// One thread per output, everything in f64.
template <class T>
__global__ void reference_kernel(const T* x, const T* filter, double* y, Sizes z) {
  const std::int64_t index = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (index >= z.batch * z.p * z.q * z.filters) return;
  const std::int64_t f = index % z.filters;
  const std::int64_t column = index / z.filters % z.q;
  const std::int64_t row = index / z.filters / z.q % z.p;
  const std::int64_t image = index / z.filters / z.q / z.p;
  double sum = 0;
  for (std::int64_t i = 0; i < z.r; ++i) {
    for (std::int64_t j = 0; j < z.s; ++j) {
      const std::int64_t from_row = row * z.stride + i - z.pad;
      const std::int64_t from_column = column * z.stride + j - z.pad;
      if (from_row < 0 || from_row >= z.h || from_column < 0 || from_column >= z.w) continue;
      const T* pixel = x + ((image * z.h + from_row) * z.w + from_column) * z.c;
      const T* weights = filter + ((f * z.r + i) * z.s + j) * z.c;
      for (std::int64_t k = 0; k < z.c; ++k) sum += opgate::to_f64(pixel[k]) * opgate::to_f64(weights[k]);
    }
  }
  y[index] = sum;
}

void reference(const opgate::Call& call) {
  const opgate::Workload& w = call.workload;
  const Sizes sizes{w.dim("batch"),
                    w.dim("h"),
                    w.dim("w"),
                    w.dim("c"),
                    w.dim("filters"),
                    w.dim("r"),
                    w.dim("s"),
                    w.dim("p"),
                    w.dim("q"),
                    static_cast<std::int64_t>(w.param("stride")),
                    static_cast<std::int64_t>(w.param("pad"))};
  const std::int64_t outputs = sizes.batch * sizes.p * sizes.q * sizes.filters;
  opgate::visit_types<__half, __nv_bfloat16>(w.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    reference_kernel<T><<<static_cast<unsigned>((outputs + kThreads - 1) / kThreads), kThreads, 0, call.stream>>>(
        call.in["x"].as<T>(), call.in["filter"].as<T>(), call.out["y"].as<double>(), sizes);
  });
  OPGATE_LAUNCHED();
}

OPGATE_REFERENCE(conv2d, reference)

}  // namespace
}  // namespace ops::conv2d
