#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/check.hpp"
#include "core/result.hpp"
#include "device/machine.hpp"

namespace opgate::device {

// Signs of the CUDA Multi-Process Service, in which several processes share one context of the GPU.
struct MpsSigns {
  std::vector<std::int32_t> daemons;  // processes named nvidia-cuda-mps-control or -server
  std::string pipe;                   // the control pipe that CUDA would connect to; "" when there is none
};
// By /proc (OPGATE_PROC for tests) and CUDA_MPS_PIPE_DIRECTORY, else /tmp/nvidia-mps.
[[nodiscard]] MpsSigns look_for_mps();

// Pure. Names are "<prefix>.mig" and so on.
[[nodiscard]] core::Check judge_mps(const MpsSigns& signs);
[[nodiscard]] std::vector<core::Check> judge_settings(const std::string& prefix, const NvmlDevice& device);
// Power and thermal brakes make a machine unfit; a power cap or application clocks are worth knowing.
[[nodiscard]] core::Check judge_throttle(const std::string& name, std::optional<std::uint64_t> reasons);
// Application clocks are set, so that the clock stays below the highest by intent.
[[nodiscard]] bool clocks_are_set(std::optional<std::uint64_t> reasons);

// What decides within milliseconds, without CUDA, whether a GPU may be measured: its settings, and its throttle.
[[nodiscard]] std::vector<core::Check> quick_checks(const std::string& prefix, const NvmlDevice& device,
                                                    const core::DeviceState& state);

}  // namespace opgate::device
