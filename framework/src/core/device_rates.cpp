#include "core/device_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace opgate::core {
namespace {

struct Row {
  std::string_view name;  // how NVML names it, or the beginning of it
  DeviceRates rates;
};

// Hopper: 4,096 dense half-precision flops per SM and cycle in the tensor cores, TF32 half of that, 8-bit twice, f64
// 256 (NVIDIA H100 Tensor Core GPU Architecture, v1.04, table 2). Ampere half of each (NVIDIA A100 Tensor Core GPU
// Architecture, table 1). Memory: bus width in bytes x 2 x the memory clock that NVML reports at full speed.
constexpr DeviceRates hopper(double memory_bytes_per_ns) {
  return {memory_bytes_per_ns, 256, 2048, 4096, 8192};
}
constexpr DeviceRates ampere(double memory_bytes_per_ns) {
  return {memory_bytes_per_ns, 128, 1024, 2048, 4096};
}
constexpr Row kRows[] = {
    {"NVIDIA H200", hopper(4917)},            // 6144 bit, 3201 MHz
    {"NVIDIA H100 80GB HBM3", hopper(3352)},  // 5120 bit, 2619 MHz
    {"NVIDIA H100 PCIe", hopper(2039)},       // 5120 bit, 1593 MHz
    {"NVIDIA A100-SXM4-80GB", ampere(2039)},  // 5120 bit, 1593 MHz
    {"NVIDIA A100-SXM4-40GB", ampere(1555)},  // 5120 bit, 1215 MHz
};

double flops_per_cycle(const DeviceRates& rates, const std::string& dtype) {
  if (dtype == "f64") return rates.f64;
  if (dtype == "f32") return rates.f32;
  if (dtype == "f16" || dtype == "bf16") return rates.half;
  return rates.byte;
}

constexpr double kTera = 1e-3;  // per ns -> T per s

}  // namespace

std::optional<DeviceRates> rates_of(const DeviceIdentity& device) {
  for (const Row& row : kRows) {
    if (device.name.rfind(row.name, 0) == 0) return row.rates;
  }
  return std::nullopt;
}

std::optional<double> peak_flops_per_ns(const DeviceIdentity& device, const std::string& dtype, double sm_mhz) {
  const std::optional<DeviceRates> rates = rates_of(device);
  if (!rates || device.sm_count <= 0 || sm_mhz <= 0) return std::nullopt;
  constexpr double kCyclesPerNs = 1e-3;  // of a MHz
  return device.sm_count * flops_per_cycle(*rates, dtype) * sm_mhz * kCyclesPerNs;
}

std::optional<Issue> impossible_rate(const CaseIdentity& identity, const DeviceIdentity& device, double busy_ns,
                                     std::optional<double> sm_mhz, Flush flush) {
  const std::optional<DeviceRates> rates = rates_of(device);
  if (!rates || busy_ns <= 0) return std::nullopt;
  if (identity.bytes_read && flush != Flush::none) {
    const double written = identity.bytes_written.value_or(0) - static_cast<double>(device.l2_bytes);
    const double rate = (*identity.bytes_read + std::max(0.0, written)) / busy_ns;
    if (rate > rates->memory_bytes_per_ns) {
      return Issue{
          ErrorKind::impossible,
          fmt::format("{:.0f} bytes from memory in {:.2f} us are {:.2f} TB/s, and the memory of {} does {:.2f}",
                      *identity.bytes_read + std::max(0.0, written), busy_ns * kTera, rate * kTera, device.name,
                      rates->memory_bytes_per_ns * kTera),
          false, "check that the call does its whole work, and \"bytes_read\" and \"bytes_written\" in the spec"};
    }
  }
  const double mhz = sm_mhz.value_or(device.max_sm_mhz);
  if (const auto most = peak_flops_per_ns(device, identity.dtype, mhz); identity.flops && most) {
    const double rate = *identity.flops / busy_ns;
    if (rate > *most) {
      return Issue{
          ErrorKind::impossible,
          fmt::format("{:.0f} flops in {:.2f} us are {:.1f} TFLOP/s, and {} does {:.1f} in {} at {:.0f} MHz",
                      *identity.flops, busy_ns * kTera, rate * kTera, device.name, *most * kTera, identity.dtype, mhz),
          false, "check that the call does its whole work, and \"flops\" in the spec"};
    }
  }
  return std::nullopt;
}

std::string rate_note(const CaseIdentity& identity, const DeviceIdentity& device, double busy_ns) {
  const std::optional<DeviceRates> rates = rates_of(device);
  if (!rates || busy_ns <= 0 || !identity.bytes_read || !identity.bytes_written) return {};
  if ((*identity.bytes_read + *identity.bytes_written) / busy_ns <= rates->memory_bytes_per_ns) return {};
  return fmt::format("more than the memory's {:.2f} TB/s: part of what was written stayed in L2",
                     rates->memory_bytes_per_ns * kTera);
}

}  // namespace opgate::core
