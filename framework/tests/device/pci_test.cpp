#include <boost/test/unit_test.hpp>
#include <fstream>

#include "device/machine.hpp"
#include "environment.hpp"

namespace {

struct Bus : opgate::test::Folder {
  opgate::test::Variable variable{"OPGATE_PCI_DEVICES", path.string()};
  void add(const char* address, const char* vendor, const char* device_class) const {
    const auto device = path / address;
    std::filesystem::create_directory(device);
    std::ofstream(device / "vendor") << vendor << '\n';
    std::ofstream(device / "class") << device_class << '\n';
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(pci, Bus)

BOOST_AUTO_TEST_CASE(a_data_centre_gpu_is_found) {
  add("0000:00:1f.0", "0x8086", "0x060100");
  BOOST_TEST(!opgate::device::nvidia_device_on_pci_bus());
  add("0000:1a:00.0", "0x10de", "0x030200");
  BOOST_TEST(opgate::device::nvidia_device_on_pci_bus());
}

BOOST_AUTO_TEST_CASE(a_display_controller_is_found) {
  add("0000:01:00.0", "0x10de", "0x030000");
  BOOST_TEST(opgate::device::nvidia_device_on_pci_bus());
}

BOOST_AUTO_TEST_CASE(others_of_the_vendor_and_other_displays_do_not_count) {
  add("0000:01:00.1", "0x10de", "0x040300");  // the audio function of a GPU
  add("0000:02:00.0", "0x10de", "0x068000");  // NVSwitch
  add("0000:03:00.0", "0x1002", "0x030000");
  std::filesystem::create_directory(path / "empty");
  BOOST_TEST(!opgate::device::nvidia_device_on_pci_bus());
}

BOOST_AUTO_TEST_CASE(no_bus_is_no_device) {
  const opgate::test::Variable missing("OPGATE_PCI_DEVICES", (path / "missing").string());
  BOOST_TEST(!opgate::device::nvidia_device_on_pci_bus());
}

BOOST_AUTO_TEST_SUITE_END()
