#include "app/probe_steps.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "collect/cuda_devices.hpp"
#include "core/ceiling_checks.hpp"
#include "core/probe_checks.hpp"
#include "core/readings.hpp"
#include "device/cuda_identity.hpp"
#include "device/fitness.hpp"
#include "device/machine.hpp"
#include "measure/ceiling_readings.hpp"
#include "measure/doctor_forms.hpp"
#include "measure/four_methods.hpp"
#include "opgate/bench.hpp"

namespace opgate::app {
namespace {

using core::Check;
using core::Health;
using measure::Fault;

// What later checks need of earlier ones.
class Probe {
 public:
  Probe(ProbeReport& report, Fault fault) : report_(report), fault_(fault) {}

  void run() {
    if (!report_.step("cuda", [this] { return context(); })) return;
    report_.step("second_process", [this] { return core::judge_processes(processes_); });
    // Events and graphs before tracing, which slows every launch.
    report_.step("four_methods", [] { return four_methods(); });
    report_.step("drop_counter", [this] {
      start_tracing();
      return core::judge_drop_counter(measure::read_drop_counter(fault_));
    });
    report_.step("tick", [this] { return core::judge_tick(device_.name, measure::read_varied_durations(fault_)); });
    for (const measure::LaunchForm& form : measure::launch_forms()) {
      report_.step("form." + form.name,
                   [&] { return core::judge_form(measure::read_form(form, plain_ns(form.kernels)), tick_ns()); });
    }
    report_.step("flush.clears", [this] { return core::judge_flush_clears(measure::read_flush(fault_)); });
    report_.step("flush.clean",
                 [this] { return core::judge_flush_clean(measure::read_flush_table(fault_), tick_ns()); });
    clocks();
    report_.step("host_immunity",
                 [this] { return core::judge_host_immunity(measure::read_host_immunity(), tick_ns()); });
  }

  void measure_ceilings() {
    if (!report_.step("cuda", [this] { return context(); })) return;
    report_.step("ceiling.copy", [this] {
      start_tracing();
      return core::judge_ceiling(device_, measure::read_copy_ceiling());
    });
    for (const auto& [type, dtype] :
         {std::pair{measure::TensorType::bf16, "bf16"}, std::pair{measure::TensorType::e4m3, "f8e4m3"}}) {
      report_.step(std::string("ceiling.") + dtype, [this, type = type, dtype = dtype] {
        constexpr std::int32_t kWgmma = 90;  // later architectures have other instructions
        if (device_.compute_capability != kWgmma) return core::no_tensor_ceiling(device_, dtype);
        return core::judge_ceiling(device_, measure::read_tensor_ceiling(type));
      });
    }
  }

 private:
  Check context() {
    const std::optional<device::NvmlDevice> seen = device::case_device(device::query_nvml());
    processes_.self = ::getpid();
    if (seen) processes_.before = device::compute_pids(seen->identity.uuid);
    device_ = device::query_cuda_device();
    collect::create_context();
    if (seen) processes_.after = device::compute_pids(seen->identity.uuid);
    return {"cuda", Health::ok,
            fmt::format("{} ({}), compute capability {}, {} SMs, L2 {} MiB, driver {}, CUDA {}", device_.name,
                        device_.uuid, device_.compute_capability, device_.sm_count,
                        device_.l2_bytes / (std::int64_t{1024} * 1024), device_.driver, device_.cuda)};
  }

  static Check four_methods() {
    const measure::FourMethods methods = measure::compare_four_methods();
    return core::judge_four_methods({.cupti_read_flush_ns = methods.cupti_read_flush_ns,
                                     .cupti_memset_flush_ns = methods.cupti_memset_flush_ns,
                                     .event_pair_ns = methods.event_pair_ns,
                                     .event_loop_ns = methods.event_loop_ns,
                                     .graph_replay_ns = methods.graph_replay_ns});
  }

  // One reading serves three checks; each fails by itself when it cannot be taken.
  void clocks() {
    core::CyclesReading cycles;
    report_.step("cycles", [&] {
      cycles = measure::read_cycles();
      state_ = device::query_state(device_.uuid);
      return core::judge_cycles(cycles, tick_ns());
    });
    report_.step("clock", [&] {
      return core::judge_clock({.probed_mhz = cycles.sm_mhz,
                                .max_mhz = device_.max_sm_mhz,
                                .nvml_mhz = state_.sm_mhz,
                                .locked = device::clocks_are_set(state_.throttle_reasons)});
    });
    report_.step("throttle", [&] { return device::judge_throttle("throttle", state_.throttle_reasons); });
  }

  // By the table rather than by this run's reading, which has a check of its own.
  [[nodiscard]] std::int32_t tick_ns() const {
    return core::known_tick_ns(device_.name).value_or(core::kDefaultTickNs);
  }

  double plain_ns(int kernels) {
    const auto [found, missing] = plain_ns_.try_emplace(kernels, 0);
    if (missing) found->second = measure::read_plain_ns(kernels);
    return found->second;
  }

  ProbeReport& report_;
  Fault fault_;
  core::DeviceIdentity device_;
  core::ProcessReading processes_;
  core::DeviceState state_;
  std::map<int, double> plain_ns_;
};

}  // namespace

void run_probe_steps(ProbeReport& report, Fault fault) {
  Probe(report, fault).run();
}

void run_ceiling_steps(ProbeReport& report) {
  Probe(report, Fault::none).measure_ceilings();
}

}  // namespace opgate::app
