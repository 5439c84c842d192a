#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace opgate::exchange {

// Tells imported runs apart by what they hold, so that the same run is recognised when it is imported again. Not a
// defence against someone who wants two runs to collide.
class Fingerprint {
 public:
  void add(std::int64_t value) noexcept;
  void add(std::string_view text) noexcept;
  // In the form of a version 8 UUID (RFC 9562: the bits are the application's own).
  [[nodiscard]] std::string uuid() const;

 private:
  void mix(std::uint64_t word) noexcept;
  std::uint64_t low_ = 0x9e37'79b9'7f4a'7c15U;
  std::uint64_t high_ = 0xc2b2'ae3d'27d4'eb4fU;
};

}  // namespace opgate::exchange
