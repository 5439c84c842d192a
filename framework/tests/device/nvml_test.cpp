#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <csignal>

#include "device/machine.hpp"
#include "device/process_tree.hpp"
#include "environment.hpp"

using opgate::device::query_nvml;
using opgate::device::query_state;
using opgate::test::Variable;

namespace {

constexpr const char* kFirstUuid = "GPU-00000000-1111-2222-3333-444444444444";

struct Fake {
  Variable library{"OPGATE_NVML_LIBRARY", OPGATE_FAKE_NVML};
};

// A child that waits until it is told to end.
class Child {
 public:
  Child() {
    if (::pipe(ends_) != 0) throw std::runtime_error("pipe failed");
    pid = ::fork();
    if (pid == 0) {
      ::close(ends_[1]);
      char byte = 0;
      [[maybe_unused]] const auto count = ::read(ends_[0], &byte, 1);
      ::_exit(0);
    }
    ::close(ends_[0]);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    ::close(ends_[1]);
    ::waitpid(pid, nullptr, 0);
  }
  pid_t pid = 0;

 private:
  int ends_[2] = {};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(nvml, Fake)

BOOST_AUTO_TEST_CASE(devices_are_described) {
  const Variable two("FAKE_NVML_DEVICES", "2");
  const auto report = query_nvml();
  BOOST_TEST(report.problem.empty());
  BOOST_TEST(report.cuda_driver == "13.1");
  BOOST_REQUIRE(report.devices.size() == 2U);
  const auto& device = report.devices[1];
  BOOST_TEST(device.identity.name == "NVIDIA H200");
  BOOST_TEST(device.identity.uuid == "GPU-10000000-1111-2222-3333-444444444444");
  BOOST_TEST(device.identity.driver == "580.159.03");
  BOOST_TEST(device.identity.index == 1);
  BOOST_TEST(device.identity.memory_bytes == 150754820096);
  BOOST_TEST(device.identity.max_sm_mhz == 1980);
  BOOST_TEST(device.pci_bus_id == "00000000:05:00.0");
  BOOST_TEST((device.persistence_mode == true));
  BOOST_TEST((device.ecc_mode == true));
  BOOST_TEST((device.power_limit_mw == 700000));
  BOOST_TEST((device.default_power_limit_mw == 700000));
  BOOST_TEST((device.ecc_mode_pending == false));
  BOOST_TEST((device.uncorrected_errors == 0U));
  BOOST_TEST((device.virtualization == opgate::device::Virtualization::none));
  BOOST_TEST(!device.mig_mode.has_value());
}

BOOST_AUTO_TEST_CASE(settings_are_read) {
  const Variable mig("FAKE_NVML_MIG", "1");
  const Variable errors("FAKE_NVML_UNCORRECTED", "3");
  const Variable limit("FAKE_NVML_POWER_LIMIT", "500000");
  const Variable persistence("FAKE_NVML_PERSISTENCE", "0");
  for (const auto& [mode, meaning] :
       {std::pair{"1", opgate::device::Virtualization::passthrough},
        std::pair{"2", opgate::device::Virtualization::guest}, std::pair{"3", opgate::device::Virtualization::host}}) {
    const Variable virtualization("FAKE_NVML_VIRTUALIZATION", mode);
    BOOST_TEST((query_nvml().devices.at(0).virtualization == meaning));
  }
  const auto device = query_nvml().devices.at(0);
  BOOST_TEST((device.mig_mode == true));
  BOOST_TEST((device.uncorrected_errors == 3U));
  BOOST_TEST((device.power_limit_mw == 500000));
  BOOST_TEST((device.persistence_mode == false));
}

BOOST_AUTO_TEST_CASE(a_missing_library_is_a_problem_not_an_error) {
  const Variable missing("OPGATE_NVML_LIBRARY", "/nonexistent/libnvidia-ml.so.1");
  const auto report = query_nvml();
  BOOST_TEST(report.devices.empty());
  BOOST_TEST(report.problem.find("/nonexistent/libnvidia-ml.so.1") != std::string::npos);
  BOOST_TEST(!query_state(kFirstUuid).sm_mhz.has_value());
}

// The library initialises once per path, so this needs a path of its own.
BOOST_AUTO_TEST_CASE(a_driver_that_is_not_loaded_is_named) {
  const opgate::test::Folder folder;
  std::filesystem::copy_file(OPGATE_FAKE_NVML, folder.path / "nvml.so");
  const Variable library("OPGATE_NVML_LIBRARY", (folder.path / "nvml.so").string());
  const Variable init("FAKE_NVML_INIT", "no-driver");
  const auto report = query_nvml();
  BOOST_TEST(report.devices.empty());
  BOOST_TEST(report.problem.find("Driver Not Loaded") != std::string::npos);
  BOOST_TEST(!query_state(kFirstUuid).sm_mhz.has_value());
}

BOOST_AUTO_TEST_CASE(a_device_that_may_not_be_opened_is_told) {
  const Variable two("FAKE_NVML_DEVICES", "2");
  const Variable forbidden("FAKE_NVML_FORBIDDEN", "0");
  const auto report = query_nvml();
  BOOST_TEST(report.devices.size() == 1U);
  BOOST_TEST(report.problem.find("device 0: Insufficient Permissions") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(no_device_is_a_problem) {
  const Variable none("FAKE_NVML_DEVICES", "0");
  BOOST_TEST(query_nvml().problem == "NVML sees no device");
}

BOOST_AUTO_TEST_CASE(the_state_of_a_device_is_read) {
  const auto state = query_state(kFirstUuid);
  BOOST_TEST((state.sm_mhz == 1755));
  BOOST_TEST((state.memory_mhz == 3201));
  BOOST_TEST((state.temperature_c == 41));
  BOOST_TEST((state.power_mw == 123456));
  BOOST_TEST((state.throttle_reasons == 0x1'0000'0004ULL));
  BOOST_TEST(state.other_processes.empty());
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_absent) {
  const Variable power("FAKE_NVML_POWER", "unknown");
  const auto state = query_state(kFirstUuid);
  BOOST_TEST(!state.power_mw.has_value());
  BOOST_TEST(state.temperature_c.has_value());
  BOOST_TEST(!query_state("GPU-unknown").temperature_c.has_value());
}

BOOST_AUTO_TEST_CASE(other_processes_are_listed_without_this_one_and_its_children) {
  const Variable one("FAKE_NVML_PROCESSES", "1");
  const Child child;
  for (const pid_t own : {::getpid(), child.pid}) {
    const Variable pid("FAKE_NVML_FIRST_PID", std::to_string(own));
    BOOST_TEST(query_state(kFirstUuid).other_processes.empty());
  }
  const Variable pid("FAKE_NVML_FIRST_PID", std::to_string(::getppid()));
  BOOST_TEST(query_state(kFirstUuid).other_processes == std::vector<std::int32_t>{::getppid()},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(all_processes_are_listed_where_nvml_says_so) {
  const Variable one("FAKE_NVML_PROCESSES", "1");
  const Variable pid("FAKE_NVML_FIRST_PID", std::to_string(::getpid()));
  const auto pids = opgate::device::compute_pids(kFirstUuid);
  BOOST_REQUIRE(pids.has_value());
  BOOST_TEST(*pids == std::vector<std::int32_t>{::getpid()}, boost::test_tools::per_element());
  BOOST_TEST(!opgate::device::compute_pids("GPU-unknown").has_value());
}

BOOST_AUTO_TEST_CASE(a_crowd_of_processes_fits) {
  const Variable many("FAKE_NVML_PROCESSES", "1000");
  const Variable first("FAKE_NVML_FIRST_PID", "50000000");  // above any pid_max
  BOOST_TEST(query_state(kFirstUuid).other_processes.size() == 1000U);
}

BOOST_AUTO_TEST_CASE(descent_ends_at_a_process_that_is_gone) {
  BOOST_TEST(opgate::device::is_descendant(::getpid(), ::getpid()));
  BOOST_TEST(opgate::device::is_descendant(::getpid(), ::getppid()));
  BOOST_TEST(!opgate::device::is_descendant(::getppid(), ::getpid()));
  BOOST_TEST(!opgate::device::is_descendant(50'000'000, ::getpid()));
}

BOOST_AUTO_TEST_CASE(slugs_stay_in_their_folder) {
  BOOST_TEST(opgate::device::device_slug("NVIDIA H200") == "nvidia-h200");
  BOOST_TEST(opgate::device::device_slug("") == "unknown");
  BOOST_TEST(opgate::device::device_slug("../../etc").find_first_of("./") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
