#include "store/crc32.hpp"

#include <array>

namespace opgate::store {
namespace {

constexpr std::array<std::uint32_t, 256> table() {
  std::array<std::uint32_t, 256> steps{};
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    std::uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xedb8'8320U : 0U);
    steps[i] = crc;
  }
  return steps;
}

constexpr std::array<std::uint32_t, 256> kTable = table();

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before) noexcept {
  std::uint32_t crc = ~before;
  for (const std::byte byte : bytes) {
    crc = (crc >> 8U) ^ kTable[(crc ^ std::to_integer<std::uint32_t>(byte)) & 0xffU];
  }
  return ~crc;
}

}  // namespace opgate::store
