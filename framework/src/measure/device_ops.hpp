#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "opgate/op.hpp"
#include "opgate/tensor.hpp"

namespace opgate::measure {

// Names the generator of fill_inputs; part of a case's identity, so change it whenever the values change.
inline constexpr const char* kGenerator = "splitmix64-uniform-1";

// Value of element i = a hash of (seed, tensor name, i): uniform in [-1, 1) for floats, [-128, 127] or [0, 255]
// for integers. The launch shape has no influence.
void fill_inputs(const Tensor& tensor, std::uint64_t seed, Stream stream);
// Every byte 0xFF: NaN in every float type, -1 or 255 in integers.
void poison(const Tensor& tensor, Stream stream);
// Changes when any byte of the tensor changes or moves. Waits for the stream.
[[nodiscard]] std::uint64_t checksum(const Tensor& tensor, Stream stream);

struct Difference {
  double error_norm = 0;  // ||out - ref|| / ||ref|| over the elements finite in both; infinite for ref = 0, out != 0
  double max_abs = 0;     // largest |out - ref|, same elements
  std::int64_t nans = 0;  // not finite in one of the two only
  std::int64_t bad = 0;   // nans, and elements beyond the element-wise limit
  std::int64_t first_bad = -1;  // flat index of the first of them
  std::int64_t elements = 0;
};

// `expected` holds f64. Waits for the stream.
[[nodiscard]] Difference compare(const Tensor& out, const Tensor& expected_f64, Stream stream);
// Largest acceptable error_norm of an output stored as `dtype`.
[[nodiscard]] double error_bound(DType dtype) noexcept;
// An element is bad when |out - ref| > kElementFactor * error_bound * max(|ref|, rms of ref). The norm alone would
// not see one wrong element among millions.
inline constexpr double kElementFactor = 4;
[[nodiscard]] bool acceptable(const Difference& difference, DType dtype) noexcept;

// Keeps the device busy for this many SM cycles with one thread.
void launch_spin(std::int64_t cycles, Stream stream);

// Device memory; Error(cuda) naming the bytes when there is not enough.
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t bytes);
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  DeviceArray(DeviceArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~DeviceArray();

  [[nodiscard]] void* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// Twice the L2 of the current device, to push everything else out of it.
class FlushBuffer {
 public:
  FlushBuffer();
  // Reads all of it and leaves no dirty line behind, so the op does not pay for a write-back.
  void read(Stream stream) const;
  void memset(Stream stream) const;
  [[nodiscard]] std::size_t bytes() const noexcept { return array_.bytes(); }

 private:
  DeviceArray array_;
  unsigned blocks_ = 0;
};

}  // namespace opgate::measure
