#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/result.hpp"

namespace opgate::core {

// A rate as it was measured: bytes or flops per nanosecond.
struct MeasuredRate {
  double per_ns = 0;
  std::optional<double> sm_mhz;  // around it

  bool operator==(const MeasuredRate&) const = default;
};

// What one GPU was measured to do at most (`opgate doctor --ceilings`). Absent: not measured, or not measurable there.
struct Ceilings {
  std::string unit = {};  // the GPU's UUID
  std::string device = {};
  std::string driver = {};
  std::int64_t measured_unix_ms = 0;
  std::string commit = {};  // of the op project; empty when unknown
  bool dirty = false;
  std::optional<MeasuredRate> copy = {};  // bytes read and written
  std::optional<MeasuredRate> half = {};  // bf16, and so f16, in the tensor cores
  std::optional<MeasuredRate> f8 = {};    // e4m3 in the tensor cores

  bool operator==(const Ceilings&) const = default;
};

enum class Bound : std::uint8_t { memory, compute };
[[nodiscard]] const char* to_string(Bound bound);

// How near a reading comes to what the device can do.
struct CeilingShare {
  Bound bound = Bound::memory;  // the resource that is used more
  double percent = 0;
  std::string dtype = {};                             // whose rate it is; empty for memory
  std::optional<std::int64_t> measured_unix_ms = {};  // of the ceiling; absent: it is the peak of core/device_rates

  bool operator==(const CeilingShare&) const = default;
};

// The larger of bytes over the copy bandwidth and flops over the rate of the case's type, each held against what was
// measured on this very unit, else against the peak. Absent without bytes and flops, or on a device of which neither is
// known. Above 100: part of what was written stayed in L2, or L2 was not cleared.
[[nodiscard]] std::optional<CeilingShare> ceiling_share(const CaseIdentity& identity, const DeviceIdentity& device,
                                                        std::optional<double> busy_ns,
                                                        const std::optional<Ceilings>& measured);

// "memory: 71 % of the measured copy bandwidth (2026-01-31)", "compute: 64 % of the peak bf16 rate".
[[nodiscard]] std::string text_of(const CeilingShare& share);

}  // namespace opgate::core
