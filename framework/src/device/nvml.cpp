#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/machine.hpp"
#include "device/nvml_library.hpp"
#include "device/process_tree.hpp"
#include "text/slug.hpp"

namespace opgate::device {
namespace {

using Handle = struct nvmlDevice_st*;

struct PciInfo {  // nvmlPciInfo_t
  char bus_id_legacy[16];
  unsigned int domain, bus, device, device_id, subsystem_id;
  char bus_id[32];
};
struct Memory {  // nvmlMemory_t
  unsigned long long total, free, used;
};
struct Process {  // nvmlProcessInfo_t since nvmlDeviceGetComputeRunningProcesses_v3
  unsigned int pid;
  unsigned long long used_memory;
  unsigned int gpu_instance, compute_instance;
};
constexpr unsigned kTextBytes = 96;   // NVML_DEVICE_UUID_V2_BUFFER_SIZE and NVML_DEVICE_NAME_V2_BUFFER_SIZE
constexpr int kClockSm = 1;           // NVML_CLOCK_SM
constexpr int kClockMemory = 2;       // NVML_CLOCK_MEM
constexpr int kTemperatureGpu = 0;    // NVML_TEMPERATURE_GPU
constexpr int kUncorrected = 1;       // NVML_MEMORY_ERROR_TYPE_UNCORRECTED
constexpr int kSinceLoading = 0;      // NVML_VOLATILE_ECC
constexpr int kInsufficientSize = 7;  // NVML_ERROR_INSUFFICIENT_SIZE

std::string text_of(const NvmlLibrary& nvml, const char* function, Handle device) {
  std::array<char, kTextBytes> text{};
  const int code = nvml.call(function, device, text.data(), kTextBytes);
  text.back() = '\0';
  return code == NvmlLibrary::kSuccess ? text.data() : "";
}

template <class... Which>
std::optional<std::int32_t> number(const NvmlLibrary& nvml, const char* function, Handle device, Which... which) {
  unsigned int value = 0;
  const int code = nvml.call(function, device, which..., &value);
  if (code != NvmlLibrary::kSuccess || !std::in_range<std::int32_t>(value)) return std::nullopt;
  return static_cast<std::int32_t>(value);
}

struct Mode {
  std::optional<bool> current;
  std::optional<bool> pending;
};

Mode mode_of(const NvmlLibrary& nvml, const char* function, Handle device) {
  unsigned int current = 0;
  unsigned int pending = 0;
  if (nvml.call(function, device, &current, &pending) != NvmlLibrary::kSuccess) return {};
  return {current != 0, pending != 0};
}

std::optional<Virtualization> virtualization_of(const NvmlLibrary& nvml, Handle device) {
  int mode = 0;
  if (nvml.call("nvmlDeviceGetVirtualizationMode", device, &mode) != NvmlLibrary::kSuccess) return std::nullopt;
  switch (mode) {
    case 0:
      return Virtualization::none;
    case 1:
      return Virtualization::passthrough;
    case 2:
      return Virtualization::guest;
    default:
      return Virtualization::host;
  }
}

void describe_settings(const NvmlLibrary& nvml, Handle device, NvmlDevice& result) {
  if (const auto mode = number(nvml, "nvmlDeviceGetPersistenceMode", device)) result.persistence_mode = *mode != 0;
  result.mig_mode = mode_of(nvml, "nvmlDeviceGetMigMode", device).current;
  const Mode ecc = mode_of(nvml, "nvmlDeviceGetEccMode", device);
  result.ecc_mode = ecc.current;
  result.ecc_mode_pending = ecc.pending;
  unsigned long long errors = 0;
  if (nvml.call("nvmlDeviceGetTotalEccErrors", device, kUncorrected, kSinceLoading, &errors) == NvmlLibrary::kSuccess) {
    result.uncorrected_errors = errors;
  }
  result.power_limit_mw = number(nvml, "nvmlDeviceGetEnforcedPowerLimit", device);
  result.default_power_limit_mw = number(nvml, "nvmlDeviceGetPowerManagementDefaultLimit", device);
  result.virtualization = virtualization_of(nvml, device);
}

NvmlDevice describe(const NvmlLibrary& nvml, Handle device, unsigned index, const std::string& driver) {
  NvmlDevice result;
  result.identity.name = text_of(nvml, "nvmlDeviceGetName", device);
  result.identity.uuid = text_of(nvml, "nvmlDeviceGetUUID", device);
  result.identity.driver = driver;
  result.identity.index = static_cast<std::int32_t>(index);
  Memory memory{};
  if (nvml.call("nvmlDeviceGetMemoryInfo", device, &memory) == NvmlLibrary::kSuccess) {
    result.identity.memory_bytes = static_cast<std::int64_t>(memory.total);
  }
  result.identity.max_sm_mhz = number(nvml, "nvmlDeviceGetMaxClockInfo", device, kClockSm).value_or(0);
  PciInfo pci{};
  if (nvml.call("nvmlDeviceGetPciInfo_v3", device, &pci) == NvmlLibrary::kSuccess) {
    pci.bus_id[sizeof pci.bus_id - 1] = '\0';
    result.pci_bus_id = pci.bus_id;
  }
  describe_settings(nvml, device, result);
  return result;
}

std::optional<std::vector<Process>> compute_processes(const NvmlLibrary& nvml, Handle device) {
  std::vector<Process> processes(64);
  // Processes come and go between two calls, so a second size may be too small again.
  for (int attempt = 0; attempt < 4; ++attempt) {
    auto count = static_cast<unsigned int>(processes.size());
    const int code = nvml.call("nvmlDeviceGetComputeRunningProcesses_v3", device, &count, processes.data());
    if (code == NvmlLibrary::kSuccess) {
      processes.resize(count < processes.size() ? count : processes.size());
      return processes;
    }
    if (code != kInsufficientSize) break;
    processes.resize(processes.size() * 4);
  }
  return std::nullopt;
}

}  // namespace

NvmlReport query_nvml() {
  const NvmlLibrary& nvml = NvmlLibrary::instance();
  NvmlReport report;
  report.problem = nvml.problem();
  if (!report.problem.empty()) return report;
  std::array<char, kTextBytes> driver{};
  static_cast<void>(nvml.call("nvmlSystemGetDriverVersion", driver.data(), kTextBytes - 1));
  int cuda = 0;
  if (nvml.call("nvmlSystemGetCudaDriverVersion_v2", &cuda) == NvmlLibrary::kSuccess) {
    report.cuda_driver = fmt::format("{}.{}", cuda / 1000, cuda % 1000 / 10);
  }
  unsigned int count = 0;
  const int code = nvml.call("nvmlDeviceGetCount_v2", &count);
  if (code != NvmlLibrary::kSuccess) {
    report.problem = fmt::format("NVML cannot count the devices: {}", nvml.reason(code));
    return report;
  }
  for (unsigned index = 0; index < count; ++index) {
    Handle device = nullptr;
    const int found = nvml.call("nvmlDeviceGetHandleByIndex_v2", index, &device);
    if (found == NvmlLibrary::kSuccess) {
      report.devices.push_back(describe(nvml, device, index, driver.data()));
    } else {
      report.problem = fmt::format("NVML cannot open device {}: {}", index, nvml.reason(found));
    }
  }
  if (count == 0) report.problem = "NVML sees no device";
  return report;
}

core::DeviceState query_state(const std::string& uuid) {
  const NvmlLibrary& nvml = NvmlLibrary::instance();
  core::DeviceState state;
  Handle device = nullptr;
  if (!nvml.problem().empty() ||
      nvml.call("nvmlDeviceGetHandleByUUID", uuid.c_str(), &device) != NvmlLibrary::kSuccess) {
    return state;
  }
  state.sm_mhz = number(nvml, "nvmlDeviceGetClockInfo", device, kClockSm);
  state.memory_mhz = number(nvml, "nvmlDeviceGetClockInfo", device, kClockMemory);
  state.temperature_c = number(nvml, "nvmlDeviceGetTemperature", device, kTemperatureGpu);
  state.power_mw = number(nvml, "nvmlDeviceGetPowerUsage", device);
  unsigned long long reasons = 0;
  if (nvml.call("nvmlDeviceGetCurrentClocksThrottleReasons", device, &reasons) == NvmlLibrary::kSuccess) {
    state.throttle_reasons = reasons;
  }
  const std::optional<std::vector<Process>> processes = compute_processes(nvml, device);
  for (const Process& process : processes.value_or(std::vector<Process>{})) {
    const auto pid = static_cast<std::int32_t>(process.pid);
    if (!is_descendant(pid, ::getpid())) state.other_processes.push_back(pid);
  }
  return state;
}

std::optional<std::vector<std::int32_t>> compute_pids(const std::string& uuid) {
  const NvmlLibrary& nvml = NvmlLibrary::instance();
  Handle device = nullptr;
  if (!nvml.problem().empty() ||
      nvml.call("nvmlDeviceGetHandleByUUID", uuid.c_str(), &device) != NvmlLibrary::kSuccess) {
    return std::nullopt;
  }
  const std::optional<std::vector<Process>> processes = compute_processes(nvml, device);
  if (!processes) return std::nullopt;
  std::vector<std::int32_t> pids;
  for (const Process& process : *processes) pids.push_back(static_cast<std::int32_t>(process.pid));
  return pids;
}

std::string device_slug(const std::string& device_name) {
  return text::slug(device_name);
}

}  // namespace opgate::device
