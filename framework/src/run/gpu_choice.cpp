#include "run/gpu_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "device/machine.hpp"

namespace opgate::run {
namespace {

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

// "id:0,slots:1" -> "0": https://cmake.org/cmake/help/latest/manual/ctest.1.html#environment-variables
std::optional<std::string> assigned_by_ctest() {
  const std::optional<std::string> assignment = variable("CTEST_RESOURCE_GROUP_0_GPUS");
  if (!assignment || assignment->rfind("id:", 0) != 0) {
    return std::nullopt;
  }
  return assignment->substr(3, assignment->find(',') - 3);
}

std::optional<std::string> first_visible() {
  const std::optional<std::string> visible = variable("CUDA_VISIBLE_DEVICES");
  if (!visible) {
    return std::nullopt;
  }
  return visible->substr(0, visible->find(','));
}

// What `opgate devices --resource-spec` wrote, or an index or nothing else; ctest takes no '-' there.
const device::NvmlDevice* find_assigned(const device::NvmlReport& report, const std::string& id) {
  const auto found = std::find_if(report.devices.begin(), report.devices.end(), [&](const device::NvmlDevice& device) {
    return device::resource_id(device) == id || std::to_string(device.identity.index) == id;
  });
  return found == report.devices.end() ? nullptr : &*found;
}

// An index, or a UUID that may be shortened as CUDA allows.
const device::NvmlDevice* find_device(const device::NvmlReport& report, const std::string& wanted) {
  const auto matches = [&](const device::NvmlDevice& device) {
    return std::to_string(device.identity.index) == wanted ||
           (wanted.rfind("GPU-", 0) == 0 && device.identity.uuid.rfind(wanted, 0) == 0);
  };
  const auto found = std::find_if(report.devices.begin(), report.devices.end(), matches);
  return found == report.devices.end() ? nullptr : &*found;
}

GpuChoice refuse(const std::string& reason) {
  GpuChoice choice;
  choice.unusable = reason;
  return choice;
}

GpuChoice none_usable(const device::NvmlReport& report) {
  if (device::nvidia_device_on_pci_bus()) {
    return refuse("an NVIDIA GPU is on the PCI bus, but the driver offers none: " + report.problem);
  }
  GpuChoice choice;
  choice.absent = "no NVIDIA GPU on this machine";
  return choice;
}

}  // namespace

GpuChoice choose_gpu(const Environment& environment) {
  const std::optional<std::string> assigned = assigned_by_ctest();
  if (environment.resource_groups && !assigned) {
    return refuse("CTest assigned no GPU to this case; pass --resource-spec-file to ctest");
  }
  const device::NvmlReport report = device::query_nvml();
  if (report.devices.empty()) {
    return none_usable(report);
  }
  const std::optional<std::string> wanted = assigned ? assigned : first_visible();
  if (wanted && (wanted->empty() || *wanted == "-1" || *wanted == "NoDevFiles")) {
    GpuChoice choice;
    choice.absent = "CUDA_VISIBLE_DEVICES hides every GPU";
    return choice;
  }
  const device::NvmlDevice* device = assigned ? find_assigned(report, *assigned)
                                     : wanted ? find_device(report, *wanted)
                                              : &report.devices.front();
  if (device == nullptr) {
    return refuse(fmt::format("GPU \"{}\" was asked for, but this machine has {} GPU(s) and none of that name", *wanted,
                              report.devices.size()));
  }
  GpuChoice choice;
  choice.uuid = device->identity.uuid;
  choice.lock_key =
      device->identity.uuid.empty() ? fmt::format("gpu{}", device->identity.index) : device->identity.uuid;
  return choice;
}

}  // namespace opgate::run
