#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/command_session.hpp"
#include "device/machine.hpp"

namespace opgate::app {

// unknown: could not be looked at, because an earlier check failed or the system does not say.
enum class Health : std::uint8_t { ok, fail, unknown };

struct Check {
  std::string name;
  Health health = Health::unknown;
  std::string detail;
  std::string remedy;  // one imperative sentence; empty when nothing is to be done
};

// None of them calls CUDA.
[[nodiscard]] Check check_pci_bus();
[[nodiscard]] Check check_nvml(const device::NvmlReport& report);
[[nodiscard]] std::vector<Check> check_device(const device::NvmlDevice& device);  // driver, processes, lock
[[nodiscard]] Check check_history(const Session& session);
[[nodiscard]] Check check_baselines(const Session& session);
[[nodiscard]] Check check_cupti(const Session& session);

[[nodiscard]] const char* to_string(Health health);

}  // namespace opgate::app
