#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "opgate/op.hpp"

namespace opgate::measure {

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
