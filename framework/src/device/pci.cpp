#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "device/machine.hpp"

namespace opgate::device {
namespace {

constexpr const char* kNvidia = "0x10de";
constexpr const char* kDisplayClass = "0x03";  // PCI base class 03h: VGA, 3D and other display controllers

std::string first_line(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

}  // namespace

bool nvidia_device_on_pci_bus() {
  const char* const chosen = std::getenv("OPGATE_PCI_DEVICES");
  const std::filesystem::path folder = chosen != nullptr && *chosen != '\0' ? chosen : "/sys/bus/pci/devices";
  std::error_code none;  // no such folder: no PCI bus, as in some containers
  std::filesystem::directory_iterator entry(folder, none);
  for (const std::filesystem::directory_iterator end; !none && entry != end; entry.increment(none)) {
    if (first_line(entry->path() / "vendor") == kNvidia &&
        first_line(entry->path() / "class").starts_with(kDisplayClass)) {
      return true;
    }
  }
  return false;
}

}  // namespace opgate::device
