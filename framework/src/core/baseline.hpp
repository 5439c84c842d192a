#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace opgate::core {

// Per-run medians of one metric in the baseline, in ns (time) or cycles (cycles). noise_ns: sample standard deviation
// of run_medians_ns. The rule works on run_medians_ns alone and ignores values that are not above zero.
struct MetricBaseline {
  std::vector<double> run_medians_ns;
  double centre_ns = 0;
  double noise_ns = 0;
};

// The first accepted centre: what slow creep is held against. It moves on with a real improvement, and starts again
// where an acceptance says so.
struct Origin {
  double time_ns = 0;
  std::optional<double> cycles;
  std::string when;  // of that acceptance, ISO 8601, UTC
  std::string commit;
  bool operator==(const Origin&) const = default;
};

// The accepted runs of one unit, or of the model as a whole.
struct UnitBaseline {
  std::optional<MetricBaseline> time;
  std::optional<MetricBaseline> cycles;        // absent when any run had no clock
  std::map<std::string, double> group_shares;  // kernel group -> share of iterations
  std::map<std::string, UnitBaseline> groups;  // per kernel group when the call is mixed, else empty
  std::optional<MetricBaseline> subtick;       // trimmed means of the runs, for a call of a few ticks only
  std::optional<Origin> origin;
  std::map<std::string, UnitBaseline> libraries;  // by name: library implementations measured in the same case
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
  std::string pacing;         // "none", or idle time per duration of the call: "1"
  std::string processes{};    // fresh ones of a reading, "1"
  bool operator==(const Conditions&) const = default;
};

struct CaseBaseline {
  CaseIdentity identity;
  Conditions conditions;
  std::map<std::string, UnitBaseline> units;  // by GPU UUID ("" where unknown)
  UnitBaseline model;                         // every accepted run of this model
  std::optional<bool> kernels_overlap = {};   // whether kernels of a call ran at the same time; absent: unknown
};

// A library implementation measured beside ours.
struct LibraryRun {
  std::string name;
  std::vector<Sample> samples;
  std::vector<std::string> group_names;
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
  std::optional<Summary> summary{};  // instead of samples, where a run came with figures only
  std::vector<LibraryRun> libraries{};
  std::optional<KeptFigures> kept{};  // instead of samples, where they were pruned
};

// Reduces accepted runs (one CaseRun each, all of one identity and conditions) to a baseline, per unit and model-wide.
[[nodiscard]] CaseBaseline summarise(const std::vector<CaseRun>& runs);

}  // namespace opgate::core
