#pragma once

#include <cstdint>

#include "opgate/op.hpp"

namespace opgate::measure {

// y[i] += 1 over `n` floats: the small memory-bound kernel on which timing methods differ most.
void launch_elementwise(float* y, std::int64_t n, Stream stream);

}  // namespace opgate::measure
