#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/ceilings.hpp"
#include "core/check.hpp"

// What `opgate doctor --ceilings` makes of readings that a GPU gave, and how they reach the history. All pure.
namespace opgate::core {

// "ceiling.copy", "ceiling.bf16", "ceiling.f8e4m3", in the order in which they are measured.
[[nodiscard]] const std::vector<std::string>& ceiling_check_names();

// Several readings of one call, each with memory and data of its own.
struct CeilingReading {
  std::string dtype = {};               // "bf16", "f8e4m3"; empty for the copy
  double work = 0;                      // flops of the call; of the copy, bytes read and as many written
  std::vector<double> medians_ns = {};  // device busy
  std::vector<double> sm_mhz = {};      // around each
};
// The median of the readings against the device's peak. Fails without a reading, and for a rate above the peak, which
// is then none of its figures. A device that the table does not know has a rate and no percentage.
[[nodiscard]] Check judge_ceiling(const DeviceIdentity& device, const CeilingReading& reading);
// Instead of a rate, where the loop cannot run.
[[nodiscard]] Check no_tensor_ceiling(const DeviceIdentity& device, const std::string& dtype);

// A rate as `check` told it; absent where it gave none.
[[nodiscard]] std::optional<MeasuredRate> rate_of(const Check& check);
// Into the field of `ceilings` that it measures; nothing for any other check.
void take_ceiling(const Check& check, Ceilings& ceilings);

}  // namespace opgate::core
