#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/baseline.hpp"
#include "core/exit_code.hpp"
#include "core/waiver.hpp"

namespace opgate::core {

// 1: tolerance, ticks, 4 x noise. 2: outliers among the accepted runs no longer widen the limit beyond what they
// reached; slow creep; the library as control. 3: medians of short calls are interpolated in the tick of the timer; a
// change near its limit needs two confirmations. 4: where the clock put a reading in doubt, a fresh process decides.
// 5: medians of up to 10 us are interpolated (kCoarseTicks).
inline constexpr int kRuleVersion = 5;

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
  int outlier_runs = 8;           // accepted runs from which on outliers are told from noise
  double creep_budget = 0.03;     // against the first accepted baseline
  double clear_factor = 2;        // a change of so many times its limit needs one confirmation, a smaller one two
  int version = kRuleVersion;     // of the rule that these belong to

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
  int rule_version = kRuleVersion;
  std::optional<double> origin_change_pct;   // against the first accepted baseline
  std::optional<double> subtick_change_pct;  // of the trimmed mean, for calls of a few ticks: evidence, never a reason
  std::optional<Waiver> waiver;              // in force: the verdict stands, but is not red
  bool in_doubt = false;  // inconclusive for nothing but the clock, so that a fresh process may settle it
  int set_aside = 0;      // readings that were in doubt, before the one of a fresh process that was judged instead

  bool operator==(const Judgement&) const = default;
};

// `confirmations`: the same case by fresh workers; a suspect stays regressed only when each of them alone exceeds the
// same limits; without one a suspect comes back as regressed, and the caller decides whether to confirm. Where `run` is
// in doubt the first of them that is not is judged instead, and those after it confirm.
[[nodiscard]] Judgement judge(const std::optional<CaseBaseline>& baseline, const CaseRun& run,
                              std::span<const CaseRun> confirmations, const RuleOptions& options);
[[nodiscard]] Judgement judge(const std::optional<CaseBaseline>& baseline, const CaseRun& run,
                              const std::optional<CaseRun>& confirmation, const RuleOptions& options);

// A regression so close to its limit that the luck of two processes could make it, so that one more is asked.
[[nodiscard]] bool is_narrow(const Judgement& judgement, const RuleOptions& options);

// The case's library implementation as control: a regression during which the control slowed down as well is
// inconclusive, because the machine moved. Every other judgement comes back as it is.
[[nodiscard]] Judgement hold_against_control(Judgement judgement, const Judgement& control);

// A regression, or a doubt of one, that `waiver` covers on that day ("2026-12-31") keeps its verdict and carries the
// waiver; an expired one is noted. Every other judgement comes back as it is.
[[nodiscard]] Judgement waive(Judgement judgement, const std::optional<Waiver>& waiver, const std::string& today);

// Why the two cannot be compared, by the table of core/comparability.hpp; empty when they can. Other flops or bytes
// come back in `notes`.
[[nodiscard]] std::string incomparable(const CaseBaseline& baseline, const CaseRun& run,
                                       std::vector<std::string>& notes);

[[nodiscard]] const char* to_string(Verdict verdict);  // "no-baseline", as scripts see it
[[nodiscard]] const char* to_string(Metric metric);    // "time", "cycles"
[[nodiscard]] ExitCode exit_code_of(Verdict verdict, bool baseline_required, bool inconclusive_is_warning);
// The same, but pass under a waiver.
[[nodiscard]] ExitCode exit_code_of(const Judgement& judgement, bool baseline_required, bool inconclusive_is_warning);

}  // namespace opgate::core
