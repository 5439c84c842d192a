#include "core/sequential.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <utility>

#include "core/readings.hpp"
#include "core/statistics.hpp"

namespace opgate::core {
namespace {

// Few, and each about a third more than the one before, so that little of the error is spent on a look. At fewer than
// four pairs Student's t is too wide to decide anything.
constexpr std::array<std::size_t, 9> kLooks{4, 6, 8, 12, 16, 24, 32, 48, 64};

// A clock that never moved makes both metrics the same but for rounding: then it is time that decides.
constexpr double kSteadier = 0.9;

// Where noise hides less than this part of what the timer's grid hides, more pairs tell nothing new.
constexpr double kGridRules = 0.25;
constexpr std::size_t kPairsOnGrid = 8;

struct Interval {
  double estimate = 0;  // of the log ratio of candidate over base
  double half = 0;
  bool grid_rules = false;
  [[nodiscard]] double lower() const noexcept { return estimate - half; }
  [[nodiscard]] double upper() const noexcept { return estimate + half; }
};

double fraction(double log_ratio) {
  return std::expm1(log_ratio);
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

// Logarithms of one metric, one per pair.
struct Logs {
  std::vector<double> base;
  std::vector<double> candidate;

  void add(double base_value, double candidate_value) {
    base.push_back(std::log(base_value));
    candidate.push_back(std::log(candidate_value));
  }
  [[nodiscard]] std::vector<double> differences() const {
    std::vector<double> result(base.size());
    std::transform(candidate.begin(), candidate.end(), base.begin(), result.begin(), std::minus<>());
    return result;
  }
  // From pair to pair, so that a level that drifts is no scatter.
  [[nodiscard]] double scatter_of_sums() const {
    double squares = 0;
    for (std::size_t i = 1; i < base.size(); ++i) {
      const double step = base[i] + candidate[i] - base[i - 1] - candidate[i - 1];
      squares += step * step;
    }
    return std::sqrt(squares);
  }
};

// Of the pairs that count; cycles stay empty when any process had no clock.
struct AllLogs {
  Logs time;
  Logs cycles;
};

AllLogs logs_of(std::span<const ReadingPair> pairs) {
  AllLogs logs;
  bool clocked = true;
  for (const ReadingPair& pair : pairs) {
    logs.time.add(pair.base.time_ns, pair.candidate.time_ns);
    clocked = clocked && pair.base.cycles && pair.candidate.cycles;
    if (clocked) {
      logs.cycles.add(*pair.base.cycles, *pair.candidate.cycles);
    }
  }
  return clocked ? logs : AllLogs{std::move(logs.time), {}};
}

Interval interval_of(const Logs& logs, double error_each_side, double resolution) {
  const std::vector<double> differences = logs.differences();
  const auto count = static_cast<double>(differences.size());
  const boost::math::students_t distribution(count - 1);
  const double factor = boost::math::quantile(boost::math::complement(distribution, error_each_side));
  const double deviation = sample_standard_deviation(differences).value_or(0);
  const double noise = factor * deviation / std::sqrt(count);
  return {mean(differences), noise + resolution, differences.size() >= kPairsOnGrid && noise < kGridRules * resolution};
}

PairedOutcome outcome_of(const Interval& interval, double limit, bool at_bound) {
  const bool last = at_bound || interval.grid_rules;
  if (interval.lower() > 0 && interval.estimate >= limit) {
    return PairedOutcome::slower;
  }
  if (interval.upper() < 0 && interval.estimate <= -limit) {
    return PairedOutcome::faster;
  }
  // Whether it became a little faster is worth no pair more than there are.
  if (interval.upper() < limit && (interval.lower() > -limit || last)) {
    return PairedOutcome::unchanged;
  }
  return last ? PairedOutcome::undecided : PairedOutcome::more;
}

// One says slower where the other is sure of something else, or the like.
bool contradict(PairedOutcome decided, PairedOutcome other) {
  const auto sure = [](PairedOutcome outcome) {
    return outcome == PairedOutcome::unchanged || outcome == PairedOutcome::slower || outcome == PairedOutcome::faster;
  };
  return sure(decided) && sure(other) && decided != other;
}

std::string signed_percent(double percent) {
  return fmt::format("{:+.2f} %", percent);
}

std::string why(const PairedJudgement& judgement, const Interval& interval, double clock_change, bool contradiction) {
  const std::string change =
      fmt::format("{} in {} pairs of fresh processes ({})", signed_percent(*judgement.change_pct), judgement.pairs,
                  judgement.metric == Metric::cycles ? "clock-corrected" : "time");
  if (contradiction) {
    return fmt::format(
        "{}, but time and clock-corrected time contradict each other, and the SM clock of the candidate "
        "differs by {}",
        change, signed_percent(clock_change * 100));
  }
  const std::string from_to = fmt::format("between {} and {}", signed_percent(fraction(interval.lower()) * 100),
                                          signed_percent(fraction(interval.upper()) * 100));
  switch (judgement.outcome) {
    case PairedOutcome::slower:
      return fmt::format("{}: slower by the limit of {:.2f} % or more, {}", change, *judgement.limit_pct, from_to);
    case PairedOutcome::faster:
      return fmt::format("{}: faster by the limit of {:.2f} % or more, {}", change, *judgement.limit_pct, from_to);
    case PairedOutcome::unchanged:
      return fmt::format("{}: within the limit of {:.2f} %; a slowdown of {:.2f} % or more is excluded", change,
                         *judgement.limit_pct, *judgement.excluded_pct);
    case PairedOutcome::undecided:
      return fmt::format("{}: too close to the limit of {:.2f} %, or too noisy, to decide; it is {}", change,
                         *judgement.limit_pct, from_to);
    case PairedOutcome::more:
      break;
  }
  return {};
}

}  // namespace

std::vector<std::size_t> looks(std::size_t max_pairs) {
  std::vector<std::size_t> chosen;
  std::copy_if(kLooks.begin(), kLooks.end(), std::back_inserter(chosen),
               [&](std::size_t pairs) { return pairs < max_pairs; });
  chosen.push_back(max_pairs);
  return chosen;
}

PairedJudgement judge_pairs(std::span<const ReadingPair> pairs, const SequentialOptions& options) {
  PairedJudgement judgement;
  judgement.pairs = pairs.size();
  const std::vector<std::size_t> when = looks(options.max_pairs);
  const bool last = pairs.size() >= options.max_pairs;
  if (pairs.size() < 2 || (!last && std::find(when.begin(), when.end(), pairs.size()) == when.end())) {
    return judgement;
  }
  const AllLogs logs = logs_of(pairs);
  const double base_time = std::exp(mean(logs.time.base));
  const double error_each_side = options.error_rate / 2 / static_cast<double>(when.size());
  const double tick = options.tick_ns / base_time;
  const double limit = std::log1p(std::max(options.tolerance, options.ticks * tick));
  const auto interval = [&](const Logs& metric) { return interval_of(metric, error_each_side, std::log1p(tick)); };

  const bool clocked = !logs.cycles.base.empty();
  const bool by_cycles = clocked && logs.cycles.scatter_of_sums() < kSteadier * logs.time.scatter_of_sums();
  const Logs& decided = by_cycles ? logs.cycles : logs.time;
  const Interval found = interval(decided);
  judgement.metric = by_cycles ? Metric::cycles : Metric::time;
  judgement.outcome = outcome_of(found, limit, last);

  bool contradiction = false;
  double clock_change = 0;
  if (clocked) {
    clock_change = fraction(mean(logs.cycles.differences()) - mean(logs.time.differences()));
    const Logs& other = by_cycles ? logs.time : logs.cycles;
    contradiction = std::abs(clock_change) > options.clock_contradiction &&
                    contradict(judgement.outcome, outcome_of(interval(other), limit, last));
    if (contradiction) {
      judgement.outcome = last ? PairedOutcome::undecided : PairedOutcome::more;
    }
  }
  judgement.base_ns = base_time;
  judgement.candidate_ns = base_time * std::exp(found.estimate);
  judgement.change_pct = fraction(found.estimate) * 100;
  judgement.limit_pct = fraction(limit) * 100;
  judgement.least_pct = fraction(found.lower()) * 100;
  judgement.excluded_pct = fraction(found.upper()) * 100;
  if (judgement.outcome != PairedOutcome::more) {
    judgement.reason = why(judgement, found, clock_change, contradiction);
  }
  return judgement;
}

std::optional<ProcessReading> process_reading(const CaseRun& run) {
  const std::optional<RunReading> reading = read_run(run);
  if (!reading) {
    return std::nullopt;
  }
  if (reading->groups.size() < 2) {
    return ProcessReading{reading->pooled.time_ns, reading->pooled.cycles};
  }
  ProcessReading mixed{0, 0.0};
  for (const GroupReading& group : reading->groups) {
    mixed.time_ns += group.share * group.reading.time_ns;
    if (mixed.cycles && group.reading.cycles) {
      *mixed.cycles += group.share * *group.reading.cycles;
    } else {
      mixed.cycles.reset();
    }
  }
  return mixed;
}

const char* to_string(PairedOutcome outcome) {
  switch (outcome) {
    case PairedOutcome::more:
      return "more";
    case PairedOutcome::unchanged:
      return "unchanged";
    case PairedOutcome::slower:
      return "slower";
    case PairedOutcome::faster:
      return "faster";
    case PairedOutcome::undecided:
      return "undecided";
  }
  return "unknown";
}

ExitCode exit_code_of(PairedOutcome outcome, bool inconclusive_is_warning) {
  switch (outcome) {
    case PairedOutcome::slower:
      return ExitCode::regression;
    case PairedOutcome::undecided:
    case PairedOutcome::more:
      return inconclusive_is_warning ? ExitCode::pass : ExitCode::inconclusive;
    case PairedOutcome::unchanged:
    case PairedOutcome::faster:
      break;
  }
  return ExitCode::pass;
}

}  // namespace opgate::core
