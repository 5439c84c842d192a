#include "measure/device_ops.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "opgate/cuda.cuh"

namespace opgate::measure {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kMaxBlocks = 2048;

unsigned blocks_for(std::int64_t items) {
  const std::int64_t blocks = (items + kThreads - 1) / kThreads;
  return static_cast<unsigned>(std::clamp<std::int64_t>(blocks, 1, kMaxBlocks));
}

// The finaliser of splitmix64 (Steele, Lea, Flood 2014), a bijection of 64 bits.
__host__ __device__ inline std::uint64_t mix(std::uint64_t z) {
  z += 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

// FNV-1a, so that two inputs of one seed are unrelated.
std::uint64_t hash_of(const std::string& name) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return hash;
}

template <class T>
__device__ T value_of(std::uint64_t bits) {
  if constexpr (std::is_integral_v<T>) {
    const auto byte = static_cast<int>(bits >> 56);
    return static_cast<T>(std::is_signed_v<T> ? byte - 128 : byte);
  } else {
    // 24 bits are exact in f32, so every float type rounds the same number.
    return from_f64<T>(static_cast<double>(bits >> 40) * 0x1p-23 - 1.0);
  }
}

template <class T>
__global__ void fill_kernel(T* data, std::int64_t elements, std::uint64_t key) {
  const std::int64_t step = std::int64_t{gridDim.x} * kThreads;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x; i < elements; i += step) {
    data[i] = value_of<T>(mix(static_cast<std::uint64_t>(i) ^ key));
  }
}

__global__ void checksum_kernel(const unsigned char* data, std::size_t bytes, unsigned long long* sum) {
  const auto* words = reinterpret_cast<const std::uint64_t*>(data);
  const std::size_t n_words = bytes / sizeof(std::uint64_t);
  const std::size_t first = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  std::uint64_t mine = 0;
  for (std::size_t i = first; i < n_words; i += std::size_t{gridDim.x} * kThreads) mine += mix(words[i] ^ mix(i));
  if (first == 0) {
    for (std::size_t i = n_words * sizeof(std::uint64_t); i < bytes; ++i) mine += mix(data[i] ^ mix(~i));
  }
  atomicAdd(sum, static_cast<unsigned long long>(mine));
}

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
  const std::int64_t step = std::int64_t{gridDim.x} * kThreads;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x; i < elements; i += step) {
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
  __shared__ Partial shared[kThreads];
  shared[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) merge(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = shared[0];
}

// One pass over both arrays, summed up on the host.
Partial compare_pass(const Tensor& out, const Tensor& expected, double limit, double floor, Stream stream) {
  const unsigned blocks = blocks_for(out.elements());
  const DeviceArray partials(blocks * sizeof(Partial));
  visit_dtype(out.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    compare_kernel<T><<<blocks, kThreads, 0, stream>>>(out.as<T>(), expected.as<double>(), out.elements(), limit, floor,
                                                       static_cast<Partial*>(partials.data()));
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

__global__ void spin_kernel(std::int64_t cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

constexpr unsigned kFlushThreads = 512;
constexpr int kLoadsInFlight = 8;

// The buffer holds zeros, so the store never happens; the compiler cannot know and keeps every load.
__global__ void __launch_bounds__(kFlushThreads) flush_kernel(uint4* data, std::size_t vectors) {
  const std::size_t step = std::size_t{gridDim.x} * kFlushThreads;
  unsigned seen = 0;
  std::size_t i = std::size_t{blockIdx.x} * kFlushThreads + threadIdx.x;
  for (; i + (kLoadsInFlight - 1) * step < vectors; i += kLoadsInFlight * step) {
    uint4 value[kLoadsInFlight];
#pragma unroll
    for (int j = 0; j < kLoadsInFlight; ++j) value[j] = __ldcg(data + i + static_cast<std::size_t>(j) * step);
#pragma unroll
    for (int j = 0; j < kLoadsInFlight; ++j) seen |= value[j].x | value[j].y | value[j].z | value[j].w;
  }
  for (; i < vectors; i += step) {
    const uint4 value = __ldcg(data + i);
    seen |= value.x | value.y | value.z | value.w;
  }
  if (seen != 0) data[0].x = seen;
}

}  // namespace

void fill_inputs(const Tensor& tensor, std::uint64_t seed, Stream stream) {
  if (tensor.elements() == 0) return;
  const std::uint64_t key = mix(seed ^ hash_of(tensor.name));
  visit_dtype(tensor.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    fill_kernel<T><<<blocks_for(tensor.elements()), kThreads, 0, stream>>>(tensor.as<T>(), tensor.elements(), key);
  });
  OPGATE_LAUNCHED();
}

void poison(const Tensor& tensor, Stream stream) {
  if (tensor.elements() == 0) return;
  OPGATE_CUDA(cudaMemsetAsync(tensor.data, 0xFF, tensor.bytes(), stream));
}

std::uint64_t checksum(const Tensor& tensor, Stream stream) {
  const DeviceArray sum(sizeof(unsigned long long));
  OPGATE_CUDA(cudaMemsetAsync(sum.data(), 0, sum.bytes(), stream));
  checksum_kernel<<<blocks_for(static_cast<std::int64_t>(tensor.bytes() / sizeof(std::uint64_t))), kThreads, 0,
                    stream>>>(tensor.as<unsigned char>(), tensor.bytes(), static_cast<unsigned long long*>(sum.data()));
  OPGATE_LAUNCHED();
  std::uint64_t host = 0;
  OPGATE_CUDA(cudaMemcpyAsync(&host, sum.data(), sizeof host, cudaMemcpyDeviceToHost, stream));
  OPGATE_CUDA(cudaStreamSynchronize(stream));
  return host;
}

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
  const Partial judged = compare_pass(out, expected_f64, kElementFactor * error_bound(out.dtype), rms, stream);
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

// u is half a unit in the last place. Rounding the output costs 0.4 u in the norm and u in one element; 2 u leaves
// room for one more rounding inside the op (a normalised value stored before scaling). Sums are taken in f32 and
// wander by about sqrt(k) u of f32: 2e-5 of the term size at k = 100,000, invisible in 16 bits, the whole error in
// f32; hence 168 u there, which TF32 inputs (u = 4.9e-4) still fail. Integers are exact.
double error_bound(DType dtype) noexcept {
  switch (dtype) {
    case DType::f64:
      return 1e-13;  // u = 1.1e-16, k as for f32
    case DType::f32:
      return 1e-5;  // u = 6.0e-8
    case DType::f16:
      return 1e-3;  // u = 4.9e-4
    case DType::bf16:
      return 8e-3;  // u = 3.9e-3
    case DType::f8e4m3:
      return 0.125;  // u = 6.3e-2
    case DType::i64:
    case DType::i32:
    case DType::i8:
    case DType::u8:
      break;
  }
  return 0;
}

bool acceptable(const Difference& difference, DType dtype) noexcept {
  return difference.bad == 0 && difference.error_norm <= error_bound(dtype);
}

void launch_spin(std::int64_t cycles, Stream stream) {
  spin_kernel<<<1, 1, 0, stream>>>(cycles);
  OPGATE_LAUNCHED();
}

DeviceArray::DeviceArray(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  const cudaError_t status = cudaMalloc(&data_, bytes);
  if (status != cudaSuccess) {
    throw_cuda(status, ("cudaMalloc of " + std::to_string(bytes) + " bytes").c_str(), __FILE__, __LINE__);
  }
}

DeviceArray::~DeviceArray() {
  // A destructor cannot report; a context that is already broken has been reported by the call that broke it.
  if (data_ != nullptr) static_cast<void>(cudaFree(data_));
}

FlushBuffer::FlushBuffer() {
  int device = 0;
  int l2_bytes = 0;
  int multiprocessors = 0;
  OPGATE_CUDA(cudaGetDevice(&device));
  OPGATE_CUDA(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, device));
  OPGATE_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  array_ = DeviceArray(2 * static_cast<std::size_t>(l2_bytes));
  blocks_ = 4 * static_cast<unsigned>(multiprocessors);
  memset(nullptr);
  OPGATE_CUDA(cudaStreamSynchronize(nullptr));
}

void FlushBuffer::read(Stream stream) const {
  flush_kernel<<<blocks_, kFlushThreads, 0, stream>>>(static_cast<uint4*>(array_.data()),
                                                      array_.bytes() / sizeof(uint4));
  OPGATE_LAUNCHED();
}

void FlushBuffer::memset(Stream stream) const {
  OPGATE_CUDA(cudaMemsetAsync(array_.data(), 0, array_.bytes(), stream));
}

}  // namespace opgate::measure
