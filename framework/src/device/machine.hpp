#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace opgate::device {

// What the operating system says without touching CUDA or NVML: is there an NVIDIA display device on the PCI bus?
[[nodiscard]] bool nvidia_device_on_pci_bus();
// PCI folder to look in is OPGATE_PCI_DEVICES for tests, else /sys/bus/pci/devices.

// nvmlGpuVirtualizationMode_t
enum class Virtualization : std::uint8_t { none, passthrough, guest, host };

// NVML, loaded at run time (libnvidia-ml.so.1, or OPGATE_NVML_LIBRARY). Never initialises CUDA, so the supervisor may
// use it. Settings that cannot be read are absent.
struct NvmlDevice {
  core::DeviceIdentity identity;  // name, uuid, driver, index, memory_bytes, max_sm_mhz
  std::string pci_bus_id;
  std::optional<bool> persistence_mode;
  std::optional<bool> mig_mode;
  std::optional<bool> ecc_mode;
  std::optional<bool> ecc_mode_pending;             // from the next reboot on
  std::optional<std::uint64_t> uncorrected_errors;  // memory errors that ECC found and could not repair, since loading
  std::optional<std::int32_t> power_limit_mw;
  std::optional<std::int32_t> default_power_limit_mw;
  std::optional<Virtualization> virtualization;
};
struct NvmlReport {
  std::vector<NvmlDevice> devices;
  std::string problem;      // why there are none: library missing, driver not loaded, ...
  std::string cuda_driver;  // newest CUDA that the driver supports, "13.0"; "" unknown
};
[[nodiscard]] NvmlReport query_nvml();
// Clocks, throttle reasons, power, temperature, and compute processes that are neither this process nor its children.
// Absent where NVML does not say; all of it for an unknown uuid.
[[nodiscard]] core::DeviceState query_state(const std::string& uuid);
// Every compute process that NVML lists, this one included; absent where it does not say.
[[nodiscard]] std::optional<std::vector<std::int32_t>> compute_pids(const std::string& uuid);

// The devices that CUDA will show this process, in CUDA's order, given the value of CUDA_VISIBLE_DEVICES (absent: all).
// As CUDA reads it: indices or unambiguous beginnings of UUIDs; the list ends at the first entry that names no device;
// a device named twice leaves none.
[[nodiscard]] std::vector<NvmlDevice> visible_devices(const NvmlReport& report,
                                                      const std::optional<std::string>& cuda_visible_devices);
// By this process's own CUDA_VISIBLE_DEVICES.
[[nodiscard]] std::vector<NvmlDevice> visible_to_this_process(const NvmlReport& report);
// Its name in a resource specification file: the UUID in the characters that ctest takes there ([a-z0-9_]), so that
// neither a reboot nor CUDA_VISIBLE_DEVICES makes another GPU of it; the index where NVML tells no UUID.
[[nodiscard]] std::string resource_id(const NvmlDevice& device);
// The device that a case uses: the first visible one, by this process's CUDA_VISIBLE_DEVICES.
[[nodiscard]] std::optional<NvmlDevice> case_device(const NvmlReport& report);

// "NVIDIA H200" -> "nvidia-h200"; "" -> "unknown". Only [a-z0-9-], so it never leaves the baselines folder.
[[nodiscard]] std::string device_slug(const std::string& device_name);

}  // namespace opgate::device
