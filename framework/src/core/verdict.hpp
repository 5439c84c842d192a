#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/baseline.hpp"
#include "core/exit_code.hpp"

namespace opgate::core {

inline constexpr int kRuleVersion = 1;

// improved: faster by more than Judgement::detectable_pct. No fresh process confirms it, so that it must be clear at
// once.
enum class Verdict : std::uint8_t { pass, regressed, improved, inconclusive, no_baseline, not_comparable };
// cycles: SM clock cycles, busy_ns * sm_mhz / 1000. They need no reference clock, so that runs and imports whose
// highest clock differs stay comparable; a Judgement shows them as clock-corrected time, at max_sm_mhz.
enum class Metric : std::uint8_t { time, cycles };

struct RuleOptions {
  double tolerance = 0.01;
  double other_unit_extra = 0.03;
  int ticks = 3;
  double noise_factor = 4;
  int min_runs = 5;
  double clock_contradiction = 0.01;
  int min_group_samples = 10;
  double share_tolerance = 0.05;  // of a mixed call: a kernel group's share of iterations may move by this much

  bool operator==(const RuleOptions&) const = default;
};

struct Judgement {
  Verdict verdict = Verdict::no_baseline;
  Metric metric = Metric::time;
  std::optional<double> baseline_ns;
  std::optional<double> measured_ns;
  std::optional<double> change_pct;
  std::optional<double> threshold_pct;   // the limit the change was held against
  std::optional<double> detectable_pct;  // the smallest slowdown this case can detect
  std::string reason;                    // one sentence a person understands
  std::vector<std::string> notes;        // other unit, other flops, kernel set changed, clock, ...

  bool operator==(const Judgement&) const = default;
};

// `confirmation`: the same case by a fresh worker; a suspect stays regressed only when it alone exceeds the same
// limits; without one a suspect comes back as regressed, and the caller decides whether to confirm.
[[nodiscard]] Judgement judge(const std::optional<CaseBaseline>& baseline, const CaseRun& run,
                              const std::optional<CaseRun>& confirmation, const RuleOptions& options);

// The case's library implementation as control: a regression during which the control slowed down as well is
// inconclusive, because the machine moved. Every other judgement comes back as it is.
[[nodiscard]] Judgement hold_against_control(Judgement judgement, const Judgement& control);

// Why the two cannot be compared; empty when they can. Other flops or bytes come back in `notes`.
[[nodiscard]] std::string incomparable(const CaseBaseline& baseline, const CaseRun& run,
                                       std::vector<std::string>& notes);

[[nodiscard]] const char* to_string(Verdict verdict);  // "no-baseline", as scripts see it
[[nodiscard]] const char* to_string(Metric metric);    // "time", "cycles"
[[nodiscard]] ExitCode exit_code_of(Verdict verdict, bool baseline_required, bool inconclusive_is_warning);

}  // namespace opgate::core
