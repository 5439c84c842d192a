#include <fmt/format.h>

#include <memory>

#include "app/command_result.hpp"
#include "app/command_table.hpp"
#include "app/command_text.hpp"
#include "device/machine.hpp"
#include "opgate/error.hpp"

namespace opgate::app {

namespace {

// CUDA would choose a part of it by itself, and two cases might get the same.
bool split_by_mig(const device::NvmlDevice& device) {
  return device.mig_mode.value_or(false);
}

[[noreturn]] void refuse_without_gpu(const device::NvmlReport& report) {
  if (device::nvidia_device_on_pci_bus()) {
    throw Error(ErrorKind::device, "an NVIDIA GPU is on the PCI bus, but the driver offers none: " + report.problem,
                "opgate devices", "load the NVIDIA driver, or run opgate doctor");
  }
  throw Error(ErrorKind::device, "no NVIDIA GPU on this machine (" + report.problem + ")", "opgate devices",
              "run it on the machine whose GPUs ctest is to share out");
}

// https://cmake.org/cmake/help/latest/manual/ctest.1.html#resource-specification-file. One slot a GPU: one case at a
// time. An id is the UUID in the letters that ctest allows there, which no reboot and no CUDA_VISIBLE_DEVICES changes.
Json resource_spec(const std::vector<device::NvmlDevice>& devices) {
  Json gpus = Json::array();
  for (const device::NvmlDevice& device : devices) {
    gpus.push_back({{"id", device::resource_id(device)}, {"slots", 1}});
  }
  return {{"version", {{"major", 1}, {"minor", 0}}}, {"local", Json::array({Json{{"gpus", gpus}}})}};
}

Json json_of(const device::NvmlDevice& device) {
  return {{"index", device.identity.index},
          {"uuid", device.identity.uuid},
          {"name", device.identity.name},
          {"driver", device.identity.driver},
          {"memory_bytes", device.identity.memory_bytes},
          {"max_sm_mhz", device.identity.max_sm_mhz},
          {"pci_bus_id", device.pci_bus_id},
          {"mig", or_null(device.mig_mode)},
          {"baselines", device::device_slug(device.identity.name)}};
}

void print_table(const Session& session, const std::vector<device::NvmlDevice>& devices) {
  std::vector<std::vector<std::string>> rows{{"gpu", "name", "uuid", "memory", "driver", "pci", "baselines"}};
  for (const device::NvmlDevice& device : devices) {
    rows.push_back({std::to_string(device.identity.index),
                    device.identity.name + (split_by_mig(device) ? " (MIG)" : ""), device.identity.uuid,
                    fmt::format("{:.0f} GiB", static_cast<double>(device.identity.memory_bytes) / (1U << 30U)),
                    device.identity.driver, device.pci_bus_id, device::device_slug(device.identity.name)});
  }
  session.out() << table(rows);
}

core::ExitCode run_devices(const Session& session, bool as_resource_spec) {
  const device::NvmlReport report = device::query_nvml();
  if (report.devices.empty()) refuse_without_gpu(report);
  if (!as_resource_spec) {
    if (session.json) {
      for (const device::NvmlDevice& device : report.devices) session.print(json_of(device));
    } else {
      print_table(session, report.devices);
    }
    return core::ExitCode::pass;
  }
  const std::vector<device::NvmlDevice> visible = device::visible_to_this_process(report);
  if (visible.empty()) {
    throw Error(ErrorKind::device, "CUDA_VISIBLE_DEVICES hides every GPU", "opgate devices",
                "unset it, or name the GPUs that ctest is to share out");
  }
  for (const device::NvmlDevice& device : visible) {
    if (split_by_mig(device)) {
      throw Error(ErrorKind::device, "the GPU is split by MIG, and parts of it disturb each other",
                  device.identity.uuid, "turn MIG off, or leave the GPU out with CUDA_VISIBLE_DEVICES");
    }
  }
  session.out() << resource_spec(visible).dump(2) << '\n';
  return core::ExitCode::pass;
}

}  // namespace

void add_devices(Command app, Session& session) {
  auto as_resource_spec = std::make_shared<bool>(false);
  Command devices = app.subcommand("devices", "List the GPUs of this machine, without CUDA");
  devices.flag("--resource-spec", *as_resource_spec,
               "Print the visible ones for ctest --resource-spec-file: one case at a time on each");
  devices.callback([as_resource_spec, &session] {
    session.action = [as_resource_spec, &session] { return run_devices(session, *as_resource_spec); };
  });
}

}  // namespace opgate::app
