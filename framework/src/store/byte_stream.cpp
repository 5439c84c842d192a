#include "store/byte_stream.hpp"

#include <algorithm>

namespace opgate::store {

void ByteWriter::varint(std::uint64_t value) {
  while (value >= 0x80U) {
    byte(static_cast<std::uint8_t>(value | 0x80U));
    value >>= 7U;
  }
  byte(static_cast<std::uint8_t>(value));
}

void ByteWriter::bits(std::uint64_t value, unsigned count) {
  for (unsigned i = 0; i < count;) {
    if (used_ == 8) {
      byte(0);
      used_ = 0;
    }
    const unsigned take = std::min(8U - used_, count - i);
    const std::uint64_t part = (value >> i) & ((1ULL << take) - 1U);
    bytes_.back() |= static_cast<std::byte>(part << used_);
    used_ += take;
    i += take;
  }
}

std::uint8_t ByteReader::byte() {
  if (position_ == bytes_.size()) {
    failed_ = true;
    return 0;
  }
  return std::to_integer<std::uint8_t>(bytes_[position_++]);
}

std::uint64_t ByteReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint8_t next = byte();
    const std::uint64_t part = next & 0x7fU;
    if (shift == 63 && part > 1) {
      break;
    }
    value |= part << shift;
    if ((next & 0x80U) == 0) {
      return value;
    }
  }
  failed_ = true;
  return 0;
}

std::uint64_t ByteReader::bits(unsigned count) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < count && !failed_;) {
    if (used_ == 8) {
      current_ = byte();
      used_ = 0;
    }
    const unsigned take = std::min(8U - used_, count - i);
    const std::uint64_t part = (static_cast<unsigned>(current_) >> used_) & ((1U << take) - 1U);
    value |= part << i;
    used_ += take;
    i += take;
  }
  return value;
}

}  // namespace opgate::store
