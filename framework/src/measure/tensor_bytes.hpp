#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/fill.hpp"
#include "opgate/op.hpp"
#include "opgate/tensor.hpp"

namespace opgate::measure {

// Value of element i = a hash of (seed, tensor name, i), turned into what `fill` says; uniform is [-1, 1) for floats,
// [-128, 127] or [0, 255] for integers. The launch shape has no influence.
void fill_input(const Tensor& tensor, const core::Fill& fill, std::uint64_t seed, Stream stream);
// Every byte 0xFF: NaN in every float type, -1 or 255 in integers.
void poison(const Tensor& tensor, Stream stream);
// Changes when any byte of the tensor changes or moves. Waits for the stream.
[[nodiscard]] std::uint64_t checksum(const Tensor& tensor, Stream stream);

// Bytes before and after a tensor that nothing but the framework writes. 64 KiB see a row or a tile too many.
inline constexpr std::size_t kGuardBytes = 65536;

// A tensor's memory, `bytes` of them between two guards.
struct Guarded {
  unsigned char* begin = nullptr;  // kGuardBytes before the tensor
  std::size_t bytes = 0;
};
struct GuardDamage {
  std::int64_t bytes = 0;         // changed in both guards
  std::int64_t first_offset = 0;  // of the lowest changed byte, from the tensor's begin: negative before it
};
void write_guards(const Guarded& tensor, Stream stream);
// Absent: both guards are whole. Waits for the stream.
[[nodiscard]] std::optional<GuardDamage> find_damage(const Guarded& tensor, Stream stream);

}  // namespace opgate::measure
