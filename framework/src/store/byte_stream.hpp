#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace opgate::store {

// Little-endian base-128 integers and single bits; bits start at the lowest of a byte and end on a byte boundary.
class ByteWriter {
 public:
  void byte(std::uint8_t value) { bytes_.push_back(static_cast<std::byte>(value)); }
  void varint(std::uint64_t value);
  void bits(std::uint64_t value, unsigned count);  // count <= 64
  void align() noexcept { used_ = 8; }
  [[nodiscard]] const std::vector<std::byte>& bytes() const noexcept { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
  unsigned used_ = 8;  // bits taken in the last byte; 8: the next bit opens a new byte
};

// Reads beyond the end set failed() and give 0, so that callers check once per column.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  [[nodiscard]] std::uint8_t byte();
  [[nodiscard]] std::uint64_t varint();
  [[nodiscard]] std::uint64_t bits(unsigned count);
  void align() noexcept { used_ = 8; }
  void fail() noexcept { failed_ = true; }
  [[nodiscard]] bool failed() const noexcept { return failed_; }
  [[nodiscard]] bool at_end() const noexcept { return position_ == bytes_.size(); }

 private:
  std::span<const std::byte> bytes_;
  std::size_t position_ = 0;
  unsigned used_ = 8;
  std::uint8_t current_ = 0;
  bool failed_ = false;
};

}  // namespace opgate::store
