#include "store/crc32.hpp"

#include <zlib.h>

namespace opgate::store {

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before) noexcept {
  // Of no address zlib gives its first value instead of `before`.
  if (bytes.empty()) return before;
  return static_cast<std::uint32_t>(
      ::crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<z_size_t>(bytes.size())));
}

}  // namespace opgate::store
