#pragma once

#include <cstdint>

#include "opgate/op.hpp"
#include "opgate/tensor.hpp"

namespace opgate::measure {

struct Difference {
  double error_norm = 0;  // ||out - ref|| / ||ref|| over the elements finite in both; infinite for ref = 0, out != 0
  double max_abs = 0;     // largest |out - ref|, same elements
  std::int64_t nans = 0;  // not finite in one of the two only
  std::int64_t bad = 0;   // nans, and elements beyond the element-wise limit
  std::int64_t first_bad = -1;  // flat index of the first of them
  std::int64_t elements = 0;
};

// `expected` holds f64. Waits for the stream.
[[nodiscard]] Difference compare(const Tensor& out, const Tensor& expected_f64, Stream stream);
// Within core/error_bound.hpp, which holds the limits.
[[nodiscard]] bool acceptable(const Difference& difference, DType dtype) noexcept;

}  // namespace opgate::measure
