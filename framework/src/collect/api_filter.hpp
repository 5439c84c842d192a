#pragma once

#include <string_view>

namespace opgate::collect {

// Which CUDA API calls stay traced. CUPTI delivers an external-correlation record only for a traced API call, so every
// call that can put work on the device must stay; all others only cost time and buffer space. By name, because the
// names differ between toolkits (nvcc 13 compiles <<<>>> to __cudaLaunchKernel). The beginning of a capture stays too,
// because the launches in it put nothing on the device.
[[nodiscard]] constexpr bool keeps_api(std::string_view name) {
  for (const std::string_view word : {"Launch", "Memcpy", "Memset", "BeginCapture"}) {
    if (name.find(word) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace opgate::collect
