#include <opgate/cuda.cuh>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "measure/tensor_loop.hpp"
#include "measure/wgmma_loop.cuh"

namespace opgate::measure {
namespace {

constexpr int kThreads = 256;    // two warpgroups: one issues while the other waits
constexpr int kTileBytes = 128;  // of K in a tile: the width of the swizzle
constexpr int kTiles = TensorLoop::kRowBytes / kTileBytes;
constexpr int kStepBytes = 32;  // of K in one wgmma: 16 bf16 or 32 e4m3
constexpr int kStepsPerTile = kTileBytes / kStepBytes;
constexpr int kPasses = 1024;  // 4.2 million cycles, beside which filling shared memory counts for nothing
constexpr int kVector = 16;
constexpr unsigned kUntouched = 0xFFFFFFFFU;
constexpr std::size_t kTileA = std::size_t{TensorLoop::kRows} * kTileBytes;
constexpr std::size_t kTileB = std::size_t{TensorLoop::kColumns} * kTileBytes;
constexpr std::size_t kAlignment = 1024;  // of a swizzled tile
constexpr std::size_t kShared = kTiles * (kTileA + kTileB) + kAlignment;

// Rows of kRowBytes into tiles of 128-byte rows, whose 16-byte chunks are swizzled by the row.
__device__ void load_tiles(const std::uint8_t* rows, std::uint8_t* tiles, int count) {
  constexpr int kChunks = TensorLoop::kRowBytes / kVector;
  constexpr int kChunksPerTile = kTileBytes / kVector;
  for (int i = static_cast<int>(threadIdx.x); i < count * kChunks; i += kThreads) {
    const int row = i / kChunks;
    const int tile = i % kChunks / kChunksPerTile;
    const int chunk = i % kChunksPerTile ^ (row & 7);
    const std::size_t at = (std::size_t(tile) * count + row) * kTileBytes + chunk * kVector;
    *reinterpret_cast<uint4*>(tiles + at) = reinterpret_cast<const uint4*>(rows)[i];
  }
}

// Bound by the tensor cores alone: an m64n256 takes 128 cycles of them and reads 10 KB of shared memory, of which an SM
// moves 16 KB in that time. Each pass overwrites the sums of the one before, as every product of matrices begins anew.
template <bool kE4m3>
__global__ void __launch_bounds__(kThreads, 1)
    tensor_loop(const std::uint8_t* operands, int passes, float* sums, unsigned* marks) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  extern __shared__ std::uint8_t shared[];
  const std::uint32_t raw = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  const std::uint32_t base = (raw + kAlignment - 1) / kAlignment * kAlignment;
  std::uint8_t* const tiles = shared + (base - raw);
  load_tiles(operands, tiles, TensorLoop::kRows);
  load_tiles(operands + std::size_t{TensorLoop::kRows} * TensorLoop::kRowBytes, tiles + kTiles * kTileA,
             TensorLoop::kColumns);
  fence_async_proxy();
  __syncthreads();

  const int group = static_cast<int>(threadIdx.x) / 128;
  const std::uint64_t a = tile_descriptor(base + group * 64 * kTileBytes);
  const std::uint64_t b = tile_descriptor(base + kTiles * static_cast<std::uint32_t>(kTileA));
  float d[128] = {};
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
    wgmma_fence();
#pragma unroll
    for (int step = 0; step < kTiles * kStepsPerTile; ++step) {
      const int tile = step / kStepsPerTile;
      const int inside = step % kStepsPerTile * kStepBytes;
      // Addresses in a descriptor count units of 16 bytes.
      wgmma_n256<kE4m3>(d, a + (tile * kTileA + inside) / kVector, b + (tile * kTileB + inside) / kVector, step > 0);
    }
    wgmma_commit();
    wgmma_wait<1>();  // the next pass is queued behind this one
  }
  wgmma_wait<0>();
  pin(d);

  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int row = static_cast<int>(threadIdx.x) / 32 * 16 + lane / 4;
  unsigned mark = 0;
#pragma unroll
  for (int i = 0; i < 128; ++i) {
    mark = mark * 31 + __float_as_uint(d[i]);
    const int at_row = row + i / 2 % 2 * 8;
    const int at_column = i / 4 * 8 + lane % 4 * 2 + i % 2;
    if (blockIdx.x == 0) sums[at_row * TensorLoop::kColumns + at_column] = d[i];
  }
  marks[blockIdx.x * kThreads + threadIdx.x] = mark == kUntouched ? 0 : mark;
#endif
}

__device__ std::uint32_t mixed(std::uint32_t x) {  // Murmur3's finalizer
  x = (x ^ (x >> 16)) * 0x85ebca6bU;
  x = (x ^ (x >> 13)) * 0xc2b2ae35U;
  return x ^ (x >> 16);
}

__global__ void fill(uint4* to, std::size_t vectors, std::uint32_t seed) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < vectors; i += step) {
    const std::uint32_t first = static_cast<std::uint32_t>(i) * 4 + seed;
    to[i] = {mixed(first), mixed(first + 1), mixed(first + 2), mixed(first + 3)};
  }
}

constexpr unsigned kCopyThreads = 256;
constexpr unsigned kCopyVectors = 4;  // a thread, all read before the first is written

template <bool kStreamHint>
__global__ void wide_copy(const uint4* from, uint4* to) {
  const std::size_t first = std::size_t{blockIdx.x} * kCopyThreads * kCopyVectors + threadIdx.x;
  uint4 values[kCopyVectors];
#pragma unroll
  for (unsigned i = 0; i < kCopyVectors; ++i) {
    const uint4* const at = from + first + i * kCopyThreads;
    values[i] = kStreamHint ? __ldcs(at) : *at;
  }
#pragma unroll
  for (unsigned i = 0; i < kCopyVectors; ++i) {
    uint4* const at = to + first + i * kCopyThreads;
    if constexpr (kStreamHint) {
      __stcs(at, values[i]);
    } else {
      *at = values[i];
    }
  }
}

const void* kernel_of(TensorType type) {
  return type == TensorType::bf16 ? reinterpret_cast<const void*>(&tensor_loop<false>)
                                  : reinterpret_cast<const void*>(&tensor_loop<true>);
}

// +-[0.5, 2) with every bit of the mantissa in use.
std::vector<std::uint8_t> random_values(TensorType type, std::size_t bytes, std::mt19937& random) {
  std::vector<std::uint8_t> values(bytes);
  for (std::size_t i = 0; i < bytes; i += 4) {
    // bf16: exponent 126 or 127; e4m3: exponent 6 or 7.
    const std::uint32_t drawn = static_cast<std::uint32_t>(random());
    const std::uint32_t word =
        type == TensorType::bf16 ? (drawn & 0x80FF80FFU) | 0x3F003F00U : (drawn & 0x8F8F8F8FU) | 0x30303030U;
    std::memcpy(values.data() + i, &word, sizeof word);
  }
  return values;
}

// The bits of such a value as a float.
float value_at(TensorType type, const std::uint8_t* row, int k) {
  if (type == TensorType::bf16) {
    std::uint32_t bits = 0;
    std::memcpy(reinterpret_cast<std::uint8_t*>(&bits) + 2, row + std::size_t(k) * 2, 2);
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  const int bits = row[k];
  const float magnitude = std::ldexp(1.0F + static_cast<float>(bits & 7) / 8, (bits >> 3 & 15) - 7);
  return (bits & 0x80) != 0 ? -magnitude : magnitude;
}

int depth_of(TensorType type) {
  return TensorLoop::kRowBytes / (type == TensorType::bf16 ? 2 : 1);
}

std::vector<float> floats_of(TensorType type, const std::vector<std::uint8_t>& rows) {
  const int depth = depth_of(type);
  const std::size_t count = rows.size() / TensorLoop::kRowBytes;
  std::vector<float> values;
  values.reserve(count * std::size_t(depth));
  for (std::size_t row = 0; row < count; ++row) {
    for (int k = 0; k < depth; ++k) values.push_back(value_at(type, rows.data() + row * TensorLoop::kRowBytes, k));
  }
  return values;
}

}  // namespace

TensorLoop::TensorLoop(TensorType type, std::uint32_t seed) : type_(type) {
  int device = 0;
  OPGATE_CUDA(cudaGetDevice(&device));
  OPGATE_CUDA(cudaDeviceGetAttribute(&blocks_, cudaDevAttrMultiProcessorCount, device));
  std::mt19937 random(seed);
  a_ = random_values(type, std::size_t{kRows} * kRowBytes, random);
  b_ = random_values(type, std::size_t{kColumns} * kRowBytes, random);
  operands_ = DeviceArray(a_.size() + b_.size());
  sums_ = DeviceArray(std::size_t{kRows} * kColumns * sizeof(float));
  marks_ = DeviceArray(std::size_t(blocks_) * kThreads * sizeof(unsigned));
  auto* const bytes = static_cast<std::uint8_t*>(operands_.data());
  OPGATE_CUDA(cudaMemcpy(bytes, a_.data(), a_.size(), cudaMemcpyHostToDevice));
  OPGATE_CUDA(cudaMemcpy(bytes + a_.size(), b_.data(), b_.size(), cudaMemcpyHostToDevice));
  OPGATE_CUDA(cudaMemset(sums_.data(), 0xFF, sums_.bytes()));
  OPGATE_CUDA(cudaMemset(marks_.data(), 0xFF, marks_.bytes()));
  // More than half of an SM's, so that every SM gets one block.
  OPGATE_CUDA(cudaFuncSetAttribute(kernel_of(type), cudaFuncAttributeMaxDynamicSharedMemorySize, int{kShared}));
}

void TensorLoop::run(Stream stream) const {
  const auto* const operands = static_cast<const std::uint8_t*>(operands_.data());
  auto* const sums = static_cast<float*>(sums_.data());
  auto* const marks = static_cast<unsigned*>(marks_.data());
  const auto blocks = static_cast<unsigned>(blocks_);
  if (type_ == TensorType::bf16) {
    tensor_loop<false><<<blocks, kThreads, kShared, stream>>>(operands, kPasses, sums, marks);
  } else {
    tensor_loop<true><<<blocks, kThreads, kShared, stream>>>(operands, kPasses, sums, marks);
  }
  OPGATE_LAUNCHED();
}

double TensorLoop::flops() const noexcept {
  return 2.0 * kRows * kColumns * depth_of(type_) * kPasses * blocks_;
}

std::vector<float> TensorLoop::expected() const {
  const auto depth = static_cast<std::size_t>(depth_of(type_));
  const std::vector<float> a = floats_of(type_, a_);
  const std::vector<float> b = floats_of(type_, b_);
  std::vector<float> sums;
  sums.reserve(std::size_t{kRows} * kColumns);
  for (std::size_t m = 0; m < kRows; ++m) {
    for (std::size_t n = 0; n < kColumns; ++n) {
      double sum = 0;
      for (std::size_t k = 0; k < depth; ++k) sum += double{a[m * depth + k]} * double{b[n * depth + k]};
      sums.push_back(static_cast<float>(sum));
    }
  }
  return sums;
}

void TensorLoop::check() const {
  OPGATE_CUDA(cudaDeviceSynchronize());
  std::vector<unsigned> marks(marks_.bytes() / sizeof(unsigned));
  std::vector<float> sums(sums_.bytes() / sizeof(float));
  OPGATE_CUDA(cudaMemcpy(marks.data(), marks_.data(), marks_.bytes(), cudaMemcpyDeviceToHost));
  OPGATE_CUDA(cudaMemcpy(sums.data(), sums_.data(), sums_.bytes(), cudaMemcpyDeviceToHost));
  if (std::count(marks.begin(), marks.end(), kUntouched) == static_cast<std::ptrdiff_t>(marks.size())) {
    throw Error(ErrorKind::device, "opgate_probe holds no code for these tensor cores", "tensor loop",
                "configure with -DCMAKE_CUDA_ARCHITECTURES=90a and build again");
  }
  for (std::size_t i = kThreads; i < marks.size(); ++i) {
    if (marks[i] != marks[i % kThreads]) {
      throw Error(ErrorKind::wrong_result, "not every SM has the same sums", "tensor loop",
                  "look for errors of the GPU with nvidia-smi -q and dmesg");
    }
  }
  // Over all sums, because tensor cores add e4m3 with some 14 bits. One of the 16 steps missing would make it a
  // quarter.
  constexpr double kMost = 0.1;
  const std::vector<float> right = expected();
  double off = 0;
  double all = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    off += std::pow(double{sums[i]} - double{right[i]}, 2);
    all += std::pow(double{right[i]}, 2);
  }
  if (!(std::sqrt(off / all) <= kMost)) {  // nor is NaN right
    throw Error(ErrorKind::wrong_result, "the sums are off by " + std::to_string(100 * std::sqrt(off / all)) + " %",
                "tensor loop", "report this as a defect of opgate");
  }
}

void launch_fill(void* to, std::size_t bytes, std::uint32_t seed, Stream stream) {
  fill<<<1024, 256, 0, stream>>>(static_cast<uint4*>(to), bytes / sizeof(uint4), seed);
  OPGATE_LAUNCHED();
}

void launch_wide_copy(const void* from, void* to, std::size_t bytes, bool stream_hint, Stream stream) {
  const auto blocks = static_cast<unsigned>(bytes / (kCopyThreads * kCopyVectors * sizeof(uint4)));
  if (stream_hint) {
    wide_copy<true><<<blocks, kCopyThreads, 0, stream>>>(static_cast<const uint4*>(from), static_cast<uint4*>(to));
  } else {
    wide_copy<false><<<blocks, kCopyThreads, 0, stream>>>(static_cast<const uint4*>(from), static_cast<uint4*>(to));
  }
  OPGATE_LAUNCHED();
}

}  // namespace opgate::measure
