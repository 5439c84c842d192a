#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/attribution.hpp"
#include "core/records.hpp"

namespace opgate::core {

// A stream takes this many launches while it is held; the host stops at the next (measured: 1,020 on an H200).
inline constexpr int kMostHeldLaunches = 1000;

// Whether all calls of a held phase stayed behind the hold until it was released.
enum class HoldOutcome : std::uint8_t { held, refused, too_many_launches, waited, escaped };
struct HoldReport {
  HoldOutcome outcome = HoldOutcome::held;
  std::string reason;  // "" when held
};
[[nodiscard]] HoldReport judge_hold(const PhaseRecords& records, const Reading& reading);

// Which API call of an iteration took longest, in a phase with every API traced; "" when none was recorded.
[[nodiscard]] std::string longest_api_call(const PhaseRecords& records, const PhaseLabels& labels);

struct HoldRule {
  bool held = false;
  std::int64_t tail_limit_ns = 0;  // longest device time from a call's last work to the closing probe; 0: not checked
};

// What the probes show to be wrong with a phase that attribution found sound: a hold that did not hold, work that
// outlives the call, work that no record tells of.
[[nodiscard]] std::vector<Issue> find_hold_issues(const PhaseRecords& records, const Reading& reading, HoldRule rule);

// From the tails of a kernel that hides nothing. A call measured directly may also wait for the host to issue the
// probe.
[[nodiscard]] std::int64_t tail_limit_ns(const std::vector<CallFrame>& frames, bool held);

}  // namespace opgate::core
