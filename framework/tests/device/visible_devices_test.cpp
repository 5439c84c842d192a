#include <boost/test/unit_test.hpp>

#include "device/machine.hpp"
#include "environment.hpp"

using opgate::device::NvmlReport;

namespace {

struct Machine {
  NvmlReport report;
  Machine() {
    for (const char* uuid : {"GPU-aaaa1111", "GPU-aaaa2222", "GPU-bbbb3333"}) {
      auto& device = report.devices.emplace_back();
      device.identity.uuid = uuid;
      device.identity.index = static_cast<std::int32_t>(report.devices.size()) - 1;
    }
  }
  [[nodiscard]] std::string shown(const std::optional<std::string>& value) const {
    std::string indices;
    for (const auto& device : opgate::device::visible_devices(report, value)) {
      indices += std::to_string(device.identity.index);
    }
    return indices;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(visible_devices, Machine)

BOOST_AUTO_TEST_CASE(without_the_variable_all_are_visible) {
  BOOST_TEST(shown(std::nullopt) == "012");
}

BOOST_AUTO_TEST_CASE(indices_select_and_order) {
  BOOST_TEST(shown("1") == "1");
  BOOST_TEST(shown("2,0") == "20");
  BOOST_TEST(shown(" 2 , 1") == "21");
}

BOOST_AUTO_TEST_CASE(uuids_select_by_their_beginning) {
  BOOST_TEST(shown("GPU-bbbb3333") == "2");
  BOOST_TEST(shown("GPU-b,GPU-aaaa1") == "20");
  BOOST_TEST(shown("GPU-aaaa") == "");  // ambiguous
}

BOOST_AUTO_TEST_CASE(the_list_ends_at_the_first_unknown_entry) {
  BOOST_TEST(shown("") == "");
  BOOST_TEST(shown("-1") == "");
  BOOST_TEST(shown("NoDevFiles") == "");
  BOOST_TEST(shown("1,7,0") == "1");
  BOOST_TEST(shown("0,-1,2") == "0");
  BOOST_TEST(shown("0,,2") == "0");
}

BOOST_AUTO_TEST_CASE(a_device_named_twice_leaves_none) {
  BOOST_TEST(shown("0,1,0") == "");
  BOOST_TEST(shown("2,GPU-b") == "");
}

BOOST_AUTO_TEST_CASE(a_case_uses_the_first_visible_device) {
  {
    const opgate::test::Variable variable("CUDA_VISIBLE_DEVICES", "2,1");
    BOOST_REQUIRE(opgate::device::case_device(report).has_value());
    BOOST_TEST(opgate::device::case_device(report)->identity.index == 2);
  }
  {
    const opgate::test::Variable variable("CUDA_VISIBLE_DEVICES", "");
    BOOST_TEST(!opgate::device::case_device(report).has_value());
  }
  const opgate::test::Variable unset("CUDA_VISIBLE_DEVICES");
  BOOST_REQUIRE(opgate::device::case_device(report).has_value());
  BOOST_TEST(opgate::device::case_device(report)->identity.index == 0);
}

BOOST_AUTO_TEST_SUITE_END()
