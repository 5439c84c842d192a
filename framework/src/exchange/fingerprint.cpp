#include "exchange/fingerprint.hpp"

#include <fmt/format.h>

namespace opgate::exchange {

namespace {

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every input bit reaches every output bit.
std::uint64_t scramble(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30U)) * 0xbf58'476d'1ce4'e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d0'49bb'1331'11ebU;
  return x ^ (x >> 31U);
}

}  // namespace

void Fingerprint::mix(std::uint64_t word) noexcept {
  low_ = scramble(low_ ^ word);
  high_ = scramble(high_ + 0x9e37'79b9'7f4a'7c15U + scramble(word));
}

void Fingerprint::add(std::int64_t value) noexcept {
  mix(static_cast<std::uint64_t>(value));
}

void Fingerprint::add(std::string_view text) noexcept {
  mix(text.size());
  for (const char c : text) mix(static_cast<unsigned char>(c));
}

std::string Fingerprint::uuid() const {
  const std::uint64_t high = (high_ & ~std::uint64_t{0xf000}) | 0x8000U;
  const std::uint64_t low = (low_ & ~(std::uint64_t{3} << 62U)) | (std::uint64_t{2} << 62U);
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32U, (high >> 16U) & 0xffffU, high & 0xffffU,
                     low >> 48U, low & 0xffff'ffff'ffffU);
}

}  // namespace opgate::exchange
