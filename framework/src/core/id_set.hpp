#pragma once

#include <cstdint>
#include <vector>

namespace opgate::core {

// Correlation ids: one bit each where they lie close together, as those of one phase do, else sorted.
class IdSet {
 public:
  explicit IdSet(std::vector<std::uint32_t> ids);
  [[nodiscard]] bool contains(std::uint32_t id) const;

 private:
  std::uint32_t first_ = 0;
  std::vector<bool> bits_;
  std::vector<std::uint32_t> sorted_;
};

}  // namespace opgate::core
