#pragma once

#include "opgate/tensor.hpp"

namespace opgate::core {

// Largest acceptable ||out - ref|| / ||ref|| of an output stored as `dtype`; 0: exactly the reference.
[[nodiscard]] double error_bound(DType dtype) noexcept;
// An element is bad when |out - ref| > kElementFactor * error_bound * max(|ref|, rms of ref). The norm alone would
// not see one wrong element among millions.
inline constexpr double kElementFactor = 4;

}  // namespace opgate::core
