#include "measure/tensor_bytes.hpp"

#include <limits>
#include <string>
#include <type_traits>

#include "measure/device_ops.hpp"
#include "measure/step_blocks.hpp"
#include "opgate/cuda.cuh"

namespace opgate::measure {
namespace {

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

// Box and Muller (1958); the second number is a hash of the first's bits.
__device__ double normal_of(std::uint64_t bits) {
  const double radius = sqrt(-2.0 * log((static_cast<double>(bits >> 40) + 1.0) * 0x1p-24));
  return radius * cospi(static_cast<double>(mix(bits) >> 40) * 0x1p-23);
}

template <class T>
__device__ T value_of(std::uint64_t bits, const core::Fill& fill) {
  if (fill.kind == core::FillKind::below) {
    return static_cast<T>(__umul64hi(bits, static_cast<std::uint64_t>(fill.bound)));
  }
  if constexpr (std::is_integral_v<T>) {
    const auto byte = static_cast<int>(bits >> 56);
    return static_cast<T>(std::is_signed_v<T> ? byte - 128 : byte);
  } else {
    // 24 bits are exact in f32, so every float type rounds the same number.
    const double uniform = static_cast<double>(bits >> 40) * 0x1p-23 - 1.0;
    if (fill.kind == core::FillKind::large) return from_f64<T>(100.0 * uniform);
    return from_f64<T>(fill.kind == core::FillKind::normal ? normal_of(bits) : uniform);
  }
}

template <class T>
__global__ void fill_kernel(T* data, std::int64_t elements, std::uint64_t key, core::Fill fill) {
  const std::int64_t step = std::int64_t{gridDim.x} * kStepThreads;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kStepThreads + threadIdx.x; i < elements; i += step) {
    data[i] = value_of<T>(mix(static_cast<std::uint64_t>(i) ^ key), fill);
  }
}

// One thread: offsets are few, and each depends on the one before. The gaps are uniform up to twice the mean of what is
// left, so that some ranges are empty or nearly.
template <class T>
__global__ void offsets_kernel(T* data, std::int64_t elements, std::uint64_t key, std::int64_t bound) {
  std::int64_t at = 0;
  data[0] = T{0};
  for (std::int64_t i = 1; i < elements; ++i) {
    const std::int64_t left = bound - at;
    const std::int64_t most = 2 * (left / (elements - i));
    const std::uint64_t bits = mix(static_cast<std::uint64_t>(i) ^ key);
    const auto gap = static_cast<std::int64_t>(__umul64hi(bits, static_cast<std::uint64_t>(most) + 1));
    // Every eighth range is empty, whatever the sizes.
    at = i == elements - 1 ? bound : at + ((bits & 7) == 0 ? 0 : (gap < left ? gap : left));
    data[i] = static_cast<T>(at);
  }
}

__global__ void checksum_kernel(const unsigned char* data, std::size_t bytes, unsigned long long* sum) {
  const auto* words = reinterpret_cast<const std::uint64_t*>(data);
  const std::size_t n_words = bytes / sizeof(std::uint64_t);
  const std::size_t first = std::size_t{blockIdx.x} * kStepThreads + threadIdx.x;
  std::uint64_t mine = 0;
  for (std::size_t i = first; i < n_words; i += std::size_t{gridDim.x} * kStepThreads) mine += mix(words[i] ^ mix(i));
  if (first == 0) {
    for (std::size_t i = n_words * sizeof(std::uint64_t); i < bytes; ++i) mine += mix(data[i] ^ mix(~i));
  }
  atomicAdd(sum, static_cast<unsigned long long>(mine));
}

constexpr unsigned char kGuardByte = 0xA5;

struct Damage {
  unsigned long long bytes;
  long long first;
};

__global__ void guard_kernel(const unsigned char* begin, std::size_t bytes, Damage* damage) {
  const unsigned i = blockIdx.x * kStepThreads + threadIdx.x;
  if (i >= 2 * kGuardBytes) return;
  const std::size_t at = i < kGuardBytes ? i : i + bytes;
  if (begin[at] == kGuardByte) return;
  atomicAdd(&damage->bytes, 1ULL);
  atomicMin(&damage->first, static_cast<long long>(at) - static_cast<long long>(kGuardBytes));
}

}  // namespace

void fill_input(const Tensor& tensor, const core::Fill& fill, std::uint64_t seed, Stream stream) {
  if (tensor.elements() == 0) return;
  const std::uint64_t key = mix(seed ^ hash_of(tensor.name));
  visit_dtype(tensor.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if (fill.kind != core::FillKind::offsets) {
      fill_kernel<T>
          <<<step_blocks(tensor.elements()), kStepThreads, 0, stream>>>(tensor.as<T>(), tensor.elements(), key, fill);
    } else if constexpr (std::is_integral_v<T>) {
      offsets_kernel<T><<<1, 1, 0, stream>>>(tensor.as<T>(), tensor.elements(), key, fill.bound);
    } else {
      throw Error(ErrorKind::spec, "offsets are integers", tensor.name, "give the input an integer type");
    }
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
  checksum_kernel<<<step_blocks(static_cast<std::int64_t>(tensor.bytes() / sizeof(std::uint64_t))), kStepThreads, 0,
                    stream>>>(tensor.as<unsigned char>(), tensor.bytes(), static_cast<unsigned long long*>(sum.data()));
  OPGATE_LAUNCHED();
  std::uint64_t host = 0;
  OPGATE_CUDA(cudaMemcpyAsync(&host, sum.data(), sizeof host, cudaMemcpyDeviceToHost, stream));
  OPGATE_CUDA(cudaStreamSynchronize(stream));
  return host;
}

void write_guards(const Guarded& tensor, Stream stream) {
  OPGATE_CUDA(cudaMemsetAsync(tensor.begin, kGuardByte, kGuardBytes, stream));
  OPGATE_CUDA(cudaMemsetAsync(tensor.begin + kGuardBytes + tensor.bytes, kGuardByte, kGuardBytes, stream));
}

std::optional<GuardDamage> find_damage(const Guarded& tensor, Stream stream) {
  Damage found{0, std::numeric_limits<long long>::max()};
  const DeviceArray damage(sizeof found);
  OPGATE_CUDA(cudaMemcpyAsync(damage.data(), &found, sizeof found, cudaMemcpyHostToDevice, stream));
  guard_kernel<<<2 * kGuardBytes / kStepThreads, kStepThreads, 0, stream>>>(tensor.begin, tensor.bytes,
                                                                            static_cast<Damage*>(damage.data()));
  OPGATE_LAUNCHED();
  OPGATE_CUDA(cudaMemcpyAsync(&found, damage.data(), sizeof found, cudaMemcpyDeviceToHost, stream));
  OPGATE_CUDA(cudaStreamSynchronize(stream));
  if (found.bytes == 0) return std::nullopt;
  return GuardDamage{static_cast<std::int64_t>(found.bytes), found.first};
}

}  // namespace opgate::measure
