#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "device/machine.hpp"

namespace opgate::device {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

const NvmlDevice* by_index(const NvmlReport& report, std::string_view entry) {
  int index = -1;
  const auto [end, error] = std::from_chars(entry.data(), entry.data() + entry.size(), index);
  if (error != std::errc() || end != entry.data() + entry.size()) return nullptr;
  const auto found = std::find_if(report.devices.begin(), report.devices.end(),
                                  [index](const NvmlDevice& device) { return device.identity.index == index; });
  return found == report.devices.end() ? nullptr : &*found;
}

const NvmlDevice* by_uuid(const NvmlReport& report, std::string_view beginning) {
  const NvmlDevice* only = nullptr;
  for (const NvmlDevice& device : report.devices) {
    if (!device.identity.uuid.starts_with(beginning)) continue;
    if (only != nullptr) return nullptr;
    only = &device;
  }
  return only;
}

const NvmlDevice* named(const NvmlReport& report, std::string_view entry) {
  if (entry.empty()) return nullptr;
  return entry.starts_with("GPU-") ? by_uuid(report, entry) : by_index(report, entry);
}

}  // namespace

// Index n means NVML's n-th device. CUDA's own default order puts the fastest device first (CUDA_DEVICE_ORDER), which
// differs only on machines that mix models.
std::vector<NvmlDevice> visible_devices(const NvmlReport& report,
                                        const std::optional<std::string>& cuda_visible_devices) {
  if (!cuda_visible_devices) return report.devices;
  std::vector<NvmlDevice> visible;
  std::string_view rest = *cuda_visible_devices;
  while (true) {
    const std::size_t comma = rest.find(',');
    const NvmlDevice* const device = named(report, trimmed(rest.substr(0, comma)));
    if (device == nullptr) return visible;
    const bool twice = std::any_of(visible.begin(), visible.end(), [device](const NvmlDevice& other) {
      return other.identity.index == device->identity.index;
    });
    if (twice) return {};
    visible.push_back(*device);
    if (comma == std::string_view::npos) return visible;
    rest.remove_prefix(comma + 1);
  }
}

std::vector<NvmlDevice> visible_to_this_process(const NvmlReport& report) {
  const char* const value = std::getenv("CUDA_VISIBLE_DEVICES");
  return visible_devices(report, value == nullptr ? std::nullopt : std::optional<std::string>(std::string(value)));
}

std::string resource_id(const NvmlDevice& device) {
  std::string id = device.identity.uuid.empty() ? std::to_string(device.identity.index) : device.identity.uuid;
  for (char& c : id) {
    if (c >= 'A' && c <= 'Z') {
      c = static_cast<char>(c - 'A' + 'a');
    } else if ((c < 'a' || c > 'z') && (c < '0' || c > '9')) {
      c = '_';
    }
  }
  return id;
}

std::optional<NvmlDevice> case_device(const NvmlReport& report) {
  const std::vector<NvmlDevice> visible = visible_to_this_process(report);
  if (visible.empty()) return std::nullopt;
  return visible.front();
}

}  // namespace opgate::device
