#include "device/cuda_identity.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <string>

#include "device/machine.hpp"
#include "opgate/error.hpp"

namespace opgate::device {
namespace {

constexpr std::int32_t kKilohertzPerMegahertz = 1000;

[[noreturn]] void unusable(cudaError_t status, const char* call) {
  const std::string reason = fmt::format("{}: {}", cudaGetErrorName(status), cudaGetErrorString(status));
  if (!nvidia_device_on_pci_bus()) {
    throw Error(ErrorKind::device, fmt::format("there is no NVIDIA GPU ({})", reason), call,
                "run this on a machine with an NVIDIA GPU");
  }
  throw Error(ErrorKind::device, fmt::format("there is an NVIDIA GPU that CUDA cannot use ({})", reason), call,
              "run nvidia-smi, and install or reload a driver that supports this CUDA version");
}

void check(cudaError_t status, const char* call) {
  if (status != cudaSuccess) unusable(status, call);
}

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

// "GPU-c3a1..." as NVML and nvidia-smi write it.
std::string format_uuid(const cudaUUID_t& uuid) {
  std::string text = "GPU";
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

// The runtime has no call for the driver's own version; "" when the kernel module does not say either.
std::string driver_from_module() {
  std::ifstream file("/sys/module/nvidia/version");
  std::string version;
  std::getline(file, version);
  return version;
}

}  // namespace

core::DeviceIdentity query_cuda_device() {
  int count = 0;
  check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  if (count == 0) unusable(cudaErrorNoDevice, "cudaGetDeviceCount");
  core::DeviceIdentity identity;
  check(cudaGetDevice(&identity.index), "cudaGetDevice");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, identity.index), "cudaGetDeviceProperties");
  int runtime = 0;
  check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");

  identity.name = properties.name;
  identity.uuid = format_uuid(properties.uuid);
  identity.cuda = fmt::format("{}.{}", runtime / 1000, runtime % 1000 / 10);
  identity.sm_count = properties.multiProcessorCount;
  identity.l2_bytes = properties.l2CacheSize;
  identity.memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
  identity.compute_capability = properties.major * 10 + properties.minor;
  identity.max_sm_mhz = attribute(cudaDevAttrClockRate, identity.index) / kKilohertzPerMegahertz;
  identity.driver = driver_from_module();
  for (const NvmlDevice& device : query_nvml().devices) {
    if (device.identity.uuid != identity.uuid) continue;
    identity.driver = device.identity.driver;
    if (device.identity.max_sm_mhz > 0) identity.max_sm_mhz = device.identity.max_sm_mhz;
  }
  return identity;
}

}  // namespace opgate::device
