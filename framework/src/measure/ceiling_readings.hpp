#pragma once

#include "core/ceiling_checks.hpp"
#include "measure/tensor_loop.hpp"

namespace opgate::measure {

// As a case is measured (read flush, held launch, pacing), several times with buffers and data of their own. Tracing
// must be on. Both throw what bench() throws, Error(wrong_result) when the work was not done.
[[nodiscard]] core::CeilingReading read_copy_ceiling();
// On compute capability 9.0 alone.
[[nodiscard]] core::CeilingReading read_tensor_ceiling(TensorType type);

}  // namespace opgate::measure
