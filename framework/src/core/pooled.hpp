#pragma once

#include <vector>

#include "core/result.hpp"

namespace opgate::core {

// The readings of fresh processes as one: their samples together, in the order of the processes. Where what differs is
// settled anew in every process (where memory lies, for one), their common median moves less from reading to reading
// than that of each. The first process that was not measured, if any, is the whole; and processes that measured in
// different ways (another device, launch mode or set of implementations) make no reading. There must be one.
[[nodiscard]] Attempt pooled(const std::vector<Attempt>& processes);

}  // namespace opgate::core
