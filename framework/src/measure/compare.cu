#include "measure/compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/error_bound.hpp"
#include "measure/device_ops.hpp"
#include "measure/step_blocks.hpp"
#include "opgate/cuda.cuh"

namespace opgate::measure {
namespace {

// One per block; the host adds them in a fixed order, so the same data gives the same figures.
struct Partial {
  double squared_error;
  double squared_ref;
  double max_abs;
  std::int64_t nans;
  std::int64_t bad;
  std::int64_t first_bad;
};

__device__ void merge(Partial& into, const Partial& other) {
  into.squared_error += other.squared_error;
  into.squared_ref += other.squared_ref;
  into.max_abs = fmax(into.max_abs, other.max_abs);
  into.nans += other.nans;
  into.bad += other.bad;
  into.first_bad = into.first_bad < other.first_bad ? into.first_bad : other.first_bad;
}

constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

// `limit` and `floor` judge single elements: bad when |out - ref| > limit * max(|ref|, floor).
template <class T>
__global__ void compare_kernel(const T* out, const double* expected, std::int64_t elements, double limit, double floor,
                               Partial* partials) {
  Partial mine{0, 0, 0, 0, 0, kNone};
  const std::int64_t step = std::int64_t{gridDim.x} * kStepThreads;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kStepThreads + threadIdx.x; i < elements; i += step) {
    const double value = to_f64(out[i]);
    const double ref = expected[i];
    bool bad = false;
    if (isfinite(value) && isfinite(ref)) {
      const double error = fabs(value - ref);
      mine.squared_error += error * error;
      mine.squared_ref += ref * ref;
      mine.max_abs = fmax(mine.max_abs, error);
      bad = error > limit * fmax(fabs(ref), floor);
    } else if (!(value == ref || (isnan(value) && isnan(ref)))) {
      ++mine.nans;
      bad = true;
    }
    if (bad) {
      ++mine.bad;
      mine.first_bad = mine.first_bad < i ? mine.first_bad : i;
    }
  }
  __shared__ Partial shared[kStepThreads];
  shared[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned half = kStepThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) merge(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = shared[0];
}

// One pass over both arrays, summed up on the host.
Partial compare_pass(const Tensor& out, const Tensor& expected, double limit, double floor, Stream stream) {
  const unsigned blocks = step_blocks(out.elements());
  const DeviceArray partials(blocks * sizeof(Partial));
  visit_dtype(out.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    compare_kernel<T><<<blocks, kStepThreads, 0, stream>>>(out.as<T>(), expected.as<double>(), out.elements(), limit,
                                                           floor, static_cast<Partial*>(partials.data()));
  });
  OPGATE_LAUNCHED();
  std::vector<Partial> host(blocks);
  OPGATE_CUDA(cudaMemcpyAsync(host.data(), partials.data(), partials.bytes(), cudaMemcpyDeviceToHost, stream));
  OPGATE_CUDA(cudaStreamSynchronize(stream));
  Partial sum{0, 0, 0, 0, 0, kNone};
  for (const Partial& p : host) {
    sum.squared_error += p.squared_error;
    sum.squared_ref += p.squared_ref;
    sum.max_abs = std::max(sum.max_abs, p.max_abs);
    sum.nans += p.nans;
    sum.bad += p.bad;
    sum.first_bad = std::min(sum.first_bad, p.first_bad);
  }
  return sum;
}

}  // namespace

Difference compare(const Tensor& out, const Tensor& expected_f64, Stream stream) {
  if (expected_f64.dtype != DType::f64 || expected_f64.elements() != out.elements()) {
    throw Error(ErrorKind::op, "the reference of " + out.name + " is not f64 of the same size", out.name,
                "allocate the reference's outputs as f64 with the shapes of the op's outputs");
  }
  Difference difference;
  difference.elements = out.elements();
  if (difference.elements == 0) return difference;
  // The element-wise limit needs the rms of the reference first.
  const Partial norms = compare_pass(out, expected_f64, std::numeric_limits<double>::infinity(), 1, stream);
  const double rms = std::sqrt(norms.squared_ref / static_cast<double>(difference.elements));
  const Partial judged =
      compare_pass(out, expected_f64, core::kElementFactor * core::error_bound(out.dtype), rms, stream);
  if (norms.squared_error > 0) {
    difference.error_norm = norms.squared_ref > 0 ? std::sqrt(norms.squared_error / norms.squared_ref)
                                                  : std::numeric_limits<double>::infinity();
  }
  difference.max_abs = norms.max_abs;
  difference.nans = judged.nans;
  difference.bad = judged.bad;
  difference.first_bad = judged.bad > 0 ? judged.first_bad : -1;
  return difference;
}

bool acceptable(const Difference& difference, DType dtype) noexcept {
  return difference.bad == 0 && difference.error_norm <= core::error_bound(dtype);
}

}  // namespace opgate::measure
