#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "opgate/op.hpp"

namespace ops {

// A dimension as an int, small enough that a tile added to it still is one.
[[nodiscard]] inline int extent(const opgate::Workload& workload, const char* name) {
  const std::int64_t value = workload.dim(name);
  if (value < 1 || value > std::numeric_limits<std::int32_t>::max() / 2) {
    throw opgate::Error(opgate::ErrorKind::op,
                        workload.op + ": " + name + " = " + std::to_string(value) + " is out of range",
                        workload.case_name(), "use dimensions from 1 to 2^30");
  }
  return static_cast<int>(value);
}

// For what a kernel cannot do: said before anything is launched.
inline void require(bool holds, const opgate::Workload& workload, const std::string& what, const std::string& remedy) {
  if (!holds) {
    throw opgate::Error(opgate::ErrorKind::op, workload.op + ": " + what, workload.case_name(), remedy);
  }
}

// Blocks of a one-dimensional grid for `items` with `per_block` in each.
[[nodiscard]] inline unsigned blocks_for(std::int64_t items, std::int64_t per_block, const opgate::Workload& workload) {
  const std::int64_t blocks = (items + per_block - 1) / per_block;
  require(blocks >= 1 && blocks <= std::numeric_limits<std::int32_t>::max(), workload,
          std::to_string(blocks) + " blocks are no grid", "use smaller dimensions");
  return static_cast<unsigned>(blocks);
}

}  // namespace ops
