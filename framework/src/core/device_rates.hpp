#pragma once

#include <optional>
#include <string>

#include "core/attribution.hpp"
#include "core/result.hpp"

namespace opgate::core {

// What a device can do at most, from its maker's figures.
struct DeviceRates {
  double memory_bytes_per_ns = 0;  // bus width x transfer rate
  // Per SM and cycle, dense, on the fastest unit that takes the type.
  double f64 = 0, f32 = 0, half = 0, byte = 0;
};

// By the device's name; none for one that the table does not know, whose rates are then not judged.
[[nodiscard]] std::optional<DeviceRates> rates_of(const DeviceIdentity& device);

// All SMs of the device at that clock; none for a device that the table does not know, or whose SMs are not known.
[[nodiscard]] std::optional<double> peak_flops_per_ns(const DeviceIdentity& device, const std::string& dtype,
                                                      double sm_mhz);

// A reading faster than the device: bytes read (and written, beyond what L2 can keep) above the memory's rate when L2
// was cleared before the call, or flops above what the SMs can do at `sm_mhz` (the device's highest clock when absent).
[[nodiscard]] std::optional<Issue> impossible_rate(const CaseIdentity& identity, const DeviceIdentity& device,
                                                   double busy_ns, std::optional<double> sm_mhz, Flush flush);

// Said beside a total rate above the memory's: part of what was written stayed in L2. "" otherwise.
[[nodiscard]] std::string rate_note(const CaseIdentity& identity, const DeviceIdentity& device, double busy_ns);

}  // namespace opgate::core
