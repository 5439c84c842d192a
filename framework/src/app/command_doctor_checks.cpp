#include "app/command_doctor_checks.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <memory>

#include "app/command_files.hpp"
#include "app/command_text.hpp"
#include "collect/cupti_library.hpp"
#include "device/fitness.hpp"
#include "device/lock.hpp"
#include "opgate/error.hpp"
#include "run/new_run.hpp"
#include "store/baseline_file.hpp"

namespace opgate::app {

namespace fs = std::filesystem;

namespace {

Check failed(const std::string& name, const Error& error) {
  const std::string detail = error.where().empty() ? error.summary() : error.where() + ": " + error.summary();
  return {name, Health::fail, detail, error.remedy()};
}

Check check_processes(const std::string& name, const core::DeviceState& state) {
  if (state.other_processes.empty()) return {name, Health::ok, "no other process uses it", {}};
  std::vector<std::string> pids;
  for (const std::int32_t pid : state.other_processes) pids.push_back(std::to_string(pid));
  return {name, Health::fail, "used by process " + joined(pids), "stop those processes, or wait for them to end"};
}

Check check_lock(const std::string& name, const std::string& key) {
  try {
    const auto lock = device::DeviceLock::acquire(key, "opgate doctor", std::chrono::milliseconds(0));
    return {name, Health::ok, "free, in " + device::DeviceLock::folder().string(), {}};
  } catch (const Error& error) {
    return failed(name, error);
  }
}

bool may_write(const fs::path& path) {
  return ::access(path.c_str(), W_OK) == 0;
}

// The folder that would have to be written to make `file`.
fs::path nearest_folder(const fs::path& file) {
  std::error_code problem;
  fs::path folder = fs::absolute(file, problem).parent_path();
  while (!fs::exists(folder, problem) && folder != folder.parent_path()) folder = folder.parent_path();
  return folder;
}

}  // namespace

Check check_pci_bus() {
  if (device::nvidia_device_on_pci_bus()) return {"pci", Health::ok, "an NVIDIA device is on the PCI bus", {}};
  return {"pci", Health::fail, "no NVIDIA device is on the PCI bus",
          "measure on a machine with an NVIDIA GPU; unit tests and replay work here"};
}

Check check_nvml(const device::NvmlReport& report) {
  if (!report.devices.empty()) return {"nvml", Health::ok, plural(report.devices.size(), "device"), {}};
  return {"nvml", Health::fail, report.problem.empty() ? "NVML sees no device" : report.problem,
          "install the NVIDIA driver, and give this machine or container access to the GPU"};
}

std::vector<Check> check_device(const device::NvmlDevice& device) {
  const core::DeviceIdentity& identity = device.identity;
  const std::string name = fmt::format("gpu{}", identity.index);
  std::vector<Check> checks;
  checks.push_back({name, Health::ok, fmt::format("{} {}", identity.name, identity.uuid), {}});
  checks.push_back(identity.driver.empty() ? Check{name + ".driver", Health::unknown, "NVML does not say", {}}
                                           : Check{name + ".driver", Health::ok, identity.driver, {}});
  const core::DeviceState state = device::query_state(identity.uuid);
  for (Check& check : device::quick_checks(name, device, state)) checks.push_back(std::move(check));
  checks.push_back(check_processes(name + ".processes", state));
  checks.push_back(check_lock(name + ".lock", lock_key(device)));
  return checks;
}

std::string lock_key(const device::NvmlDevice& device) {
  return device.identity.uuid.empty() ? fmt::format("gpu{}", device.identity.index) : device.identity.uuid;
}

Check check_history(const Session& session) {
  const std::string name = "history";
  try {
    const fs::path file = session.history_path();
    std::error_code problem;
    const bool there = fs::exists(file, problem);
    const fs::path folder = nearest_folder(file);
    if (!may_write(folder) || (there && !may_write(file))) {
      return {name, Health::fail, file.string() + " cannot be written",
              "give this user write access to " + folder.string()};
    }
    if (there) {
      const auto history = store::History::open_for_reading(file);
      return {name, Health::ok, fmt::format("{}, {}", file.string(), plural(history.case_names().size(), "case")), {}};
    }
    return {name, Health::ok, file.string() + ", made by the first run", {}};
  } catch (const Error& error) {
    return failed(name, error);
  }
}

Check check_baselines(const Session& session) {
  const std::string name = "baselines";
  try {
    const fs::path folder = session.baselines_path();
    std::size_t cases = 0;
    for (const fs::path& file : baseline_files(folder)) {
      if (const auto loaded = store::load_baseline_file(file)) cases += loaded->cases.size();
    }
    return {name, Health::ok, fmt::format("{}, {}", folder.string(), plural(cases, "case")), {}};
  } catch (const Error& error) {
    return failed(name, error);
  }
}

Check keep_ceilings(const Session& session, core::Ceilings measured) {
  const std::string name = "ceilings.kept";
  if (!measured.copy && !measured.half && !measured.f8) return {name, Health::unknown, "nothing was measured", {}};
  if (measured.unit.empty()) {
    return {name, Health::unknown, "not kept, because the GPU has no UUID", "give this machine a driver that names it"};
  }
  try {
    const store::RunInfo now = run::new_run("doctor", false, session.project(), {});
    measured.commit = now.commit;
    measured.dirty = now.dirty;
    auto history = store::History::open_for_writing(session.history_path());
    history.put_ceilings(measured);
    return {name, Health::ok, fmt::format("{}, for {}", history.path().string(), measured.unit), {}};
  } catch (const Error& error) {
    return failed(name, error);
  }
}

Check check_cupti(const Session& session) {
#ifdef OPGATE_HAVE_CUPTI
  if (!session.project() || session.project()->have_cuda) {
    try {
      return {"cupti", Health::ok, collect::cupti_path() + " can be loaded", {}};
    } catch (const Error& error) {
      return failed("cupti", error);
    }
  }
#endif
  static_cast<void>(session);
  return {"cupti", Health::unknown, "built without CUDA", "install the CUDA toolkit and configure again to measure"};
}

}  // namespace opgate::app
