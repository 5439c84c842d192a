#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/command_session.hpp"
#include "core/ceilings.hpp"
#include "core/check.hpp"
#include "device/machine.hpp"

namespace opgate::app {

using core::Check;
using core::Health;

// None of them calls CUDA.
[[nodiscard]] Check check_pci_bus();
[[nodiscard]] Check check_nvml(const device::NvmlReport& report);
// Settings, MPS, throttle, processes, lock.
[[nodiscard]] std::vector<Check> check_device(const device::NvmlDevice& device);
[[nodiscard]] std::string lock_key(const device::NvmlDevice& device);
[[nodiscard]] Check check_history(const Session& session);
[[nodiscard]] Check check_baselines(const Session& session);
[[nodiscard]] Check check_cupti(const Session& session);
// Puts what was measured into the history, with the commit of the project.
[[nodiscard]] Check keep_ceilings(const Session& session, core::Ceilings measured);

// What opgate_probe says of `device`, with no other opgate on it meanwhile, told as it comes to `told`. Every check of
// core::probe_check_names() is there in the end, or "probe" failed; with `ceilings`, of core::ceiling_check_names(), or
// "ceilings" failed.
struct ProbeRequest {
  std::string program;  // "" is the one beside this executable
  std::string broken;   // what it is to do wrong, for tests
  bool ceilings = false;
};
void run_probe(const device::NvmlDevice& device, const ProbeRequest& request,
               const std::function<void(const std::string& name)>& begun,
               const std::function<void(const Check&)>& told);

}  // namespace opgate::app
