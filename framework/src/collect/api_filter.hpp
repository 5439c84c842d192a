#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace opgate::collect {

// Which CUDA API calls stay traced. CUPTI delivers an external-correlation record only for a traced API call, so every
// call that can put work on the device must stay; all others only cost time and buffer space. By name, because the
// names differ between toolkits (nvcc 13 compiles <<<>>> to __cudaLaunchKernel). The beginning of a capture stays too,
// because the launches in it put nothing on the device.
[[nodiscard]] constexpr bool keeps_api(std::string_view name) {
  constexpr std::array<std::string_view, 4> kWords{"Launch", "Memcpy", "Memset", "BeginCapture"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

}  // namespace opgate::collect
