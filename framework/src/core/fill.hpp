#pragma once

#include <cstdint>
#include <string>

namespace opgate::core {

// What the elements of an input are drawn from. Part of a case's identity: other values, another case.
enum class FillKind : std::uint8_t {
  uniform,  // [-1, 1); integers over their lowest 8 bits' range
  normal,   // mean 0, standard deviation 1
  large,    // [-100, 100): exp() of it overflows f32
  below,    // integers in [0, bound)
  offsets,  // integers from 0 to bound in rising order, the first 0, the last bound; neighbours may be equal
};

struct Fill {
  FillKind kind = FillKind::uniform;
  std::int64_t bound = 0;  // of below and offsets

  bool operator==(const Fill&) const = default;
};

[[nodiscard]] const char* to_string(FillKind kind) noexcept;
// "below 128256", as a case's identity spells it.
[[nodiscard]] std::string describe(const Fill& fill);
[[nodiscard]] constexpr bool has_bound(FillKind kind) noexcept {
  return kind == FillKind::below || kind == FillKind::offsets;
}

}  // namespace opgate::core
