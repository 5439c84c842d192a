#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace opgate::device {

// What the operating system says without touching CUDA or NVML: is there an NVIDIA display device on the PCI bus?
[[nodiscard]] bool nvidia_device_on_pci_bus();
// PCI folder to look in is OPGATE_PCI_DEVICES for tests, else /sys/bus/pci/devices.

// NVML, loaded at run time (libnvidia-ml.so.1). Never initialises CUDA, so the supervisor may use it.
struct NvmlDevice {
  core::DeviceIdentity identity;  // name, uuid, driver, index, memory_bytes, max_sm_mhz
  std::string pci_bus_id;
};
struct NvmlReport {
  std::vector<NvmlDevice> devices;
  std::string problem;  // why there are none: library missing, driver not loaded, ...
};
[[nodiscard]] NvmlReport query_nvml();
// Clocks, throttle reasons, power, temperature, compute processes other than `self_and_children`.
[[nodiscard]] core::DeviceState query_state(const std::string& uuid);

// "NVIDIA H200" -> "nvidia-h200"; "" -> "unknown". Only [a-z0-9-], so it never leaves the baselines folder.
[[nodiscard]] std::string device_slug(const std::string& device_name);

}  // namespace opgate::device
