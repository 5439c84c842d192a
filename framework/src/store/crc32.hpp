#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace opgate::store {

// IEEE 802.3, reflected: notices every change of a single bit. `before`: the result for what comes before `bytes`.
[[nodiscard]] std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before = 0) noexcept;

}  // namespace opgate::store
