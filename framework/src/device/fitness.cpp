#include "device/fitness.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

namespace opgate::device {
namespace {

using core::Check;
using core::Health;

constexpr double kMilliwattsPerWatt = 1e3;

// nvmlClocksThrottleReasons, of which only these say that the device is in trouble.
struct Reason {
  std::uint64_t bit;
  std::string_view name;
  Health health;
};
constexpr std::uint64_t kApplicationClocks = 0x2;
constexpr std::array kReasons{Reason{kApplicationClocks, "application clocks", Health::note},
                              Reason{0x4, "power cap", Health::note},
                              Reason{0x8, "hardware slowdown", Health::fail},
                              Reason{0x10, "sync boost", Health::note},
                              Reason{0x20, "software thermal slowdown", Health::fail},
                              Reason{0x40, "hardware thermal slowdown", Health::fail},
                              Reason{0x80, "hardware power brake", Health::fail},
                              Reason{0x100, "display clocks", Health::note}};

Check silent(std::string name) {
  return {std::move(name), Health::unknown, "NVML does not say"};
}

Check judge_mig(const std::string& name, std::optional<bool> mode) {
  if (!mode) return {name, Health::unknown, "the device has none, or NVML does not say"};
  if (!*mode) return {name, Health::ok, "off"};
  return {name, Health::fail, "on: a slice of a GPU is not comparable with a whole one",
          "ask the machine's owner for a GPU without MIG"};
}

Check judge_virtualization(const std::string& name, std::optional<Virtualization> mode) {
  if (!mode) return silent(name);
  switch (*mode) {
    case Virtualization::none:
      return {name, Health::ok, "none"};
    case Virtualization::passthrough:
      return {name, Health::ok, "passed through to a virtual machine as a whole"};
    case Virtualization::guest:
      return {name, Health::fail, "a virtual GPU, which shares its device with others",
              "measure on a whole GPU, bare or passed through"};
    case Virtualization::host:
      break;
  }
  return {name, Health::fail, "the device serves virtual GPUs", "measure on a GPU that serves none"};
}

Check judge_persistence(const std::string& name, std::optional<bool> mode) {
  if (!mode) return silent(name);
  if (*mode) return {name, Health::ok, "on"};
  return {name, Health::note, "off: the driver sets the GPU up again for every case", "run `nvidia-smi -pm 1` as root"};
}

Check judge_ecc(const std::string& name, const NvmlDevice& device) {
  if (!device.ecc_mode) return silent(name);
  const std::string errors =
      device.uncorrected_errors ? fmt::format("{} uncorrected errors", *device.uncorrected_errors) : "errors unknown";
  Check check{name, Health::ok, fmt::format("{}, {}", *device.ecc_mode ? "on" : "off", errors)};
  if (device.uncorrected_errors.value_or(0) > 0) {
    check.health = Health::fail;
    check.remedy = "reset the GPU or restart the machine, and have the memory looked at";
  } else if (device.ecc_mode_pending.value_or(*device.ecc_mode) != *device.ecc_mode) {
    check.health = Health::note;
    check.detail += fmt::format(", {} from the next restart on", *device.ecc_mode_pending ? "on" : "off");
    check.remedy = "accept baselines after the restart only: memory is faster without ECC";
  }
  return check;
}

Check judge_power(const std::string& name, const NvmlDevice& device) {
  if (!device.power_limit_mw) return silent(name);
  const auto watts = [](std::int32_t mw) { return static_cast<double>(mw) / kMilliwattsPerWatt; };
  Check check{name, Health::ok, fmt::format("{:.0f} W", watts(*device.power_limit_mw))};
  check.figures.push_back({"limit_w", watts(*device.power_limit_mw)});
  if (!device.default_power_limit_mw) return check;
  check.detail += fmt::format(", by default {:.0f} W", watts(*device.default_power_limit_mw));
  check.figures.push_back({"default_w", watts(*device.default_power_limit_mw)});
  if (*device.power_limit_mw < *device.default_power_limit_mw) {
    check.health = Health::note;
    check.remedy = "raise the cap with `nvidia-smi -pl`, or compare with baselines of the same cap only";
  }
  return check;
}

}  // namespace

Check judge_mps(const MpsSigns& signs) {
  if (signs.daemons.empty() && signs.pipe.empty()) return {"mps", Health::ok, "no sign of it"};
  std::string what;
  for (const std::int32_t pid : signs.daemons) what += fmt::format("{}process {}", what.empty() ? "" : ", ", pid);
  if (!signs.pipe.empty()) what += fmt::format("{}control pipe {}", what.empty() ? "" : ", ", signs.pipe);
  return {"mps", Health::fail, "runs (" + what + "): processes share the GPU's context",
          "stop it with `echo quit | nvidia-cuda-mps-control`, and remove the pipe should it stay"};
}

std::vector<Check> judge_settings(const std::string& prefix, const NvmlDevice& device) {
  return {judge_mig(prefix + ".mig", device.mig_mode), judge_virtualization(prefix + ".vgpu", device.virtualization),
          judge_persistence(prefix + ".persistence", device.persistence_mode), judge_ecc(prefix + ".ecc", device),
          judge_power(prefix + ".power_cap", device)};
}

Check judge_throttle(const std::string& name, std::optional<std::uint64_t> reasons) {
  if (!reasons) return silent(name);
  Check check{name, Health::ok, {}};
  for (const Reason& reason : kReasons) {
    if ((*reasons & reason.bit) == 0) continue;
    if (check.health != Health::fail) check.health = reason.health;
    check.detail += fmt::format("{}{}", check.detail.empty() ? "" : ", ", reason.name);
  }
  if (check.detail.empty()) check.detail = "by nothing";
  if (check.health == Health::fail) {
    check.remedy = "look at cooling and power supply with `nvidia-smi -q -d PERFORMANCE,TEMPERATURE,POWER`";
  }
  check.figures.push_back({"reasons", static_cast<double>(*reasons)});
  return check;
}

bool clocks_are_set(std::optional<std::uint64_t> reasons) {
  return (reasons.value_or(0) & kApplicationClocks) != 0;
}

std::vector<Check> quick_checks(const std::string& prefix, const NvmlDevice& device, const core::DeviceState& state) {
  std::vector<Check> checks = judge_settings(prefix, device);
  checks.push_back(judge_throttle(prefix + ".throttle", state.throttle_reasons));
  return checks;
}

}  // namespace opgate::device
