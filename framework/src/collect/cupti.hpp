#pragma once

#include <string>

namespace opgate::collect {

// Version of the loaded CUPTI as DeviceIdentity::cupti holds it, "130001"; "" when it cannot be read. Built only with
// CUDA.
[[nodiscard]] std::string cupti_version();

}  // namespace opgate::collect
