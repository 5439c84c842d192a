#pragma once

#include "core/result.hpp"

namespace opgate::device {

// The current CUDA device of this process, read through the CUDA runtime (built only with CUDA). Error(device) when
// there is no usable one; a device on the bus that CUDA cannot use is told apart from none at all.
[[nodiscard]] core::DeviceIdentity query_cuda_device();

}  // namespace opgate::device
