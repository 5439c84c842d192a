#include "device/fitness.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "environment.hpp"

using namespace opgate::device;
using opgate::core::Check;
using opgate::core::Health;
using opgate::test::Variable;

namespace {

NvmlDevice healthy() {
  NvmlDevice device;
  device.persistence_mode = true;
  device.mig_mode = false;
  device.ecc_mode = true;
  device.ecc_mode_pending = true;
  device.uncorrected_errors = 0;
  device.power_limit_mw = 700'000;
  device.default_power_limit_mw = 700'000;
  device.virtualization = Virtualization::none;
  return device;
}

Check of(const NvmlDevice& device, const std::string& name) {
  const std::vector<Check> checks = judge_settings("gpu0", device);
  const auto found =
      std::find_if(checks.begin(), checks.end(), [&](const Check& check) { return check.name == "gpu0." + name; });
  BOOST_REQUIRE((found != checks.end()));
  return *found;
}

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fitness)

BOOST_AUTO_TEST_CASE(a_healthy_device_is_ok_in_everything) {
  for (const Check& check : judge_settings("gpu0", healthy())) {
    BOOST_TEST((check.health == Health::ok), check.name << ": " << check.detail);
  }
  BOOST_TEST((judge_settings("gpu0", NvmlDevice{}).front().health == Health::unknown));
}

BOOST_AUTO_TEST_CASE(slices_and_virtual_gpus_are_refused) {
  NvmlDevice device = healthy();
  device.mig_mode = true;
  BOOST_TEST((of(device, "mig").health == Health::fail));
  device.virtualization = Virtualization::guest;
  BOOST_TEST((of(device, "vgpu").health == Health::fail));
  device.virtualization = Virtualization::host;
  BOOST_TEST((of(device, "vgpu").health == Health::fail));
  device.virtualization = Virtualization::passthrough;
  BOOST_TEST((of(device, "vgpu").health == Health::ok));
}

BOOST_AUTO_TEST_CASE(bad_memory_is_refused_and_a_change_of_ecc_is_noted) {
  NvmlDevice device = healthy();
  device.uncorrected_errors = 2;
  BOOST_TEST((of(device, "ecc").health == Health::fail));
  BOOST_TEST(of(device, "ecc").detail == "on, 2 uncorrected errors");
  device = healthy();
  device.ecc_mode_pending = false;
  BOOST_TEST((of(device, "ecc").health == Health::note));
}

BOOST_AUTO_TEST_CASE(settings_that_change_readings_are_noted) {
  NvmlDevice device = healthy();
  device.persistence_mode = false;
  BOOST_TEST((of(device, "persistence").health == Health::note));
  device.power_limit_mw = 500'000;
  BOOST_TEST((of(device, "power_cap").health == Health::note));
  BOOST_TEST(of(device, "power_cap").detail == "500 W, by default 700 W");
}

BOOST_AUTO_TEST_CASE(brakes_are_refused_and_caps_are_noted) {
  BOOST_TEST((judge_throttle("throttle", 0).health == Health::ok));
  BOOST_TEST((judge_throttle("throttle", 1).health == Health::ok));  // idle
  BOOST_TEST((judge_throttle("throttle", 4).health == Health::note));
  for (const std::uint64_t bit : {0x8U, 0x20U, 0x40U, 0x80U}) {
    BOOST_TEST((judge_throttle("throttle", bit | 0x4U).health == Health::fail));
    BOOST_TEST((judge_throttle("throttle", bit | 0x100U).health == Health::fail));
  }
  BOOST_TEST(judge_throttle("throttle", 0x44).detail == "power cap, hardware thermal slowdown");
  BOOST_TEST((judge_throttle("throttle", std::nullopt).health == Health::unknown));
  BOOST_TEST(clocks_are_set(0x2));
  BOOST_TEST(!clocks_are_set(0x4));
}

BOOST_AUTO_TEST_CASE(mps_is_found_by_its_daemon_and_by_its_pipe) {
  const opgate::test::Folder folder;
  const Variable proc("OPGATE_PROC", (folder.path / "proc").string());
  const Variable pipes("CUDA_MPS_PIPE_DIRECTORY", (folder.path / "mps").string());
  write(folder.path / "proc/12/comm", "bash\n");
  write(folder.path / "proc/self/comm", "nvidia-cuda-mps\n");  // no number, no process
  BOOST_TEST((judge_mps(look_for_mps()).health == Health::ok));
  write(folder.path / "proc/345/comm", "nvidia-cuda-mps\n");
  const Check daemon = judge_mps(look_for_mps());
  BOOST_TEST(daemon.name == "mps");
  BOOST_TEST((daemon.health == Health::fail));
  BOOST_TEST(daemon.detail.find("process 345") != std::string::npos);
  std::filesystem::remove_all(folder.path / "proc/345");
  write(folder.path / "mps/control", "");
  const Check pipe = judge_mps(look_for_mps());
  BOOST_TEST((pipe.health == Health::fail));
  BOOST_TEST(pipe.detail.find("mps/control") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
