#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/exit_code.hpp"
#include "core/result.hpp"

namespace opgate::core {

inline constexpr int kRuleVersion = 1;

// improved: faster by more than Judgement::detectable_pct. No fresh process confirms it, so that it must be clear at
// once.
enum class Verdict : std::uint8_t { pass, regressed, improved, inconclusive, no_baseline, not_comparable };
// cycles: SM clock cycles, busy_ns * sm_mhz / 1000. They need no reference clock, so that runs and imports whose
// highest clock differs stay comparable; a Judgement shows them as clock-corrected time, at max_sm_mhz.
enum class Metric : std::uint8_t { time, cycles };

// Per-run medians of one metric in the baseline, in ns (time) or cycles (cycles). noise_ns: sample standard deviation
// of run_medians_ns. The rule works on run_medians_ns alone and ignores values that are not above zero.
struct MetricBaseline {
  std::vector<double> run_medians_ns;
  double centre_ns = 0;
  double noise_ns = 0;
};

// The accepted runs of one unit, or of the model as a whole.
struct UnitBaseline {
  std::optional<MetricBaseline> time;
  std::optional<MetricBaseline> cycles;        // absent when any run had no clock
  std::map<std::string, double> group_shares;  // kernel group -> share of iterations
  std::map<std::string, UnitBaseline> groups;  // per kernel group when the call is mixed, else empty
};

// How the accepted runs were taken; compared with the run under judgement.
struct Conditions {
  std::string device_name;
  std::string driver_branch;  // "580"
  std::string cuda;           // "13.0"
  std::string protocol;       // "opgate-1"
  std::string timing;         // "cupti"
  std::string flush;          // "read"
  std::string launch;         // "direct"
  std::string pacing;         // "none"
  bool operator==(const Conditions&) const = default;
};

struct CaseBaseline {
  CaseIdentity identity;
  Conditions conditions;
  std::map<std::string, UnitBaseline> units;  // by GPU UUID ("" where unknown)
  UnitBaseline model;                         // every accepted run of this model
};

// One run of a case, reduced to what the rule needs.
struct CaseRun {
  CaseIdentity identity;
  Conditions conditions;
  std::string unit;             // GPU UUID
  std::int32_t tick_ns = 0;     // 0: unknown -> 32
  std::int32_t max_sm_mhz = 0;  // 0: unknown -> cycles are shown at the run's own median clock
  std::vector<Sample> samples;
  std::vector<std::string> group_names;
};

struct RuleOptions {
  double tolerance = 0.01;
  double other_unit_extra = 0.03;
  int ticks = 3;
  double noise_factor = 4;
  int min_runs = 5;
  double clock_contradiction = 0.01;
  int min_group_samples = 10;
  double share_tolerance = 0.05;  // of a mixed call: a kernel group's share of iterations may move by this much
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

// Reduces accepted runs (one CaseRun each, all of one identity and conditions) to a baseline, per unit and model-wide.
[[nodiscard]] CaseBaseline summarise(const std::vector<CaseRun>& runs);

[[nodiscard]] const char* to_string(Verdict verdict);  // "no-baseline", as scripts see it
[[nodiscard]] const char* to_string(Metric metric);    // "time", "cycles"
[[nodiscard]] ExitCode exit_code_of(Verdict verdict, bool baseline_required, bool inconclusive_is_warning);

}  // namespace opgate::core
