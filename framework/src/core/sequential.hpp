#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/baseline.hpp"
#include "core/exit_code.hpp"
#include "core/verdict.hpp"

namespace opgate::core {

// How one fresh process read a call: the median of its samples.
struct ProcessReading {
  double time_ns = 0;
  std::optional<double> cycles;  // absent when any sample has no clock
};
// Two processes of two builds that ran one right after the other.
struct ReadingPair {
  ProcessReading base;
  ProcessReading candidate;
};

struct SequentialOptions {
  double tolerance = 0.01;
  int ticks = 2;  // no change below this many ticks of the timer is called one
  double tick_ns = 32;
  double error_rate = 0.01;    // of the whole rule on equal builds, however often it looks
  std::size_t max_pairs = 24;  // even, so that A B B A is whole
  double clock_contradiction = 0.01;
};

enum class PairedOutcome : std::uint8_t { more, unchanged, slower, faster, undecided };

struct PairedJudgement {
  PairedOutcome outcome = PairedOutcome::more;
  std::size_t pairs = 0;
  Metric metric = Metric::time;
  std::optional<double> base_ns;  // geometric means of the processes' medians; cycles at the base's clock
  std::optional<double> candidate_ns;
  std::optional<double> change_pct;
  std::optional<double> limit_pct;     // the smallest change that is called one
  std::optional<double> least_pct;     // smaller changes than this are excluded
  std::optional<double> excluded_pct;  // the smallest slowdown that is excluded: this one and all above
  std::string reason;                  // one sentence a person understands; empty for more
};

// The pairs after which the rule looks: it decides at no other time.
[[nodiscard]] std::vector<std::size_t> looks(std::size_t max_pairs);

// What the pairs so far say. The log ratios of the pairs give a confidence interval at every look; the intervals of all
// looks together hold the true ratio in all but error_rate of comparisons (repeated confidence intervals: Jennison and
// Turnbull, "Interim analyses: the repeated confidence interval approach", J. R. Statist. Soc. B 51, 1989). The error
// is spent on the looks in equal parts, whose sum bounds it whatever the dependence between looks; each interval is
// Student's t, widened by the tick that a difference of two medians on the timer's grid may hide. Slower: the interval
// lies above no change, and the estimate is the limit or more. Unchanged: the interval lies within the limit. The
// metric with less scatter of the pairs' sums decides: sums are independent of the differences, so that choosing by
// them biases no test of the differences.
[[nodiscard]] PairedJudgement judge_pairs(std::span<const ReadingPair> pairs, const SequentialOptions& options);

// The reading of one process. A call whose kernels vary is the mean of its groups' medians by their shares, because
// the median of two modes is a value that no call had. Absent when no sample is above zero.
[[nodiscard]] std::optional<ProcessReading> process_reading(const CaseRun& run);

[[nodiscard]] const char* to_string(PairedOutcome outcome);
[[nodiscard]] ExitCode exit_code_of(PairedOutcome outcome, bool inconclusive_is_warning);

}  // namespace opgate::core
