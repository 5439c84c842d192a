#include "measure/protocol.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/statistics.hpp"
#include "measure/host_time.hpp"
#include "measure/launch_mode.hpp"
#include "measure/phase.hpp"
#include "measure/pooling.hpp"

namespace opgate::measure {
namespace {

constexpr int kCalibrationCalls = 3;
constexpr double kMostPacing = 100;
constexpr std::int64_t kMostIdlePerPhaseNs = 400'000'000;

struct Counts {
  int warmup = 0;
  std::vector<int> measure;  // one per pass
};

void refuse(const std::string& what, const std::string& remedy) {
  throw Error(ErrorKind::usage, what, "options", remedy);
}

// Nothing that was asked for may be left undone in silence.
void check(const BenchOptions& options) {
  if (options.launch == Launch::queued && (options.protocol == Protocol::method_1 || options.timing != Timing::cupti)) {
    refuse("calls are queued only by protocol opgate-1 and with CUPTI",
           "ask for Launch::direct, or leave the launch mode open");
  }
  if (options.timing != Timing::cupti && (options.pacing.value_or(0) > 0 || options.probe_clock.value_or(false))) {
    refuse("pacing and clock probes need CUPTI", "leave them out when timing by events");
  }
  if (!(options.pacing.value_or(0) >= 0 && options.pacing.value_or(0) <= kMostPacing)) {
    refuse(fmt::format("pacing {} is asked for", *options.pacing),
           fmt::format("ask for an idle time of 0 to {} durations of the call", kMostPacing));
  }
  if (options.iterations.value_or(1) < 1) {
    refuse("less than one iteration is asked for", "ask for 1 or more iterations");
  }
  if (options.min_iterations < 1 || options.max_iterations < options.min_iterations) {
    refuse(fmt::format("the bounds {} and {} leave no count of iterations", options.min_iterations,
                       options.max_iterations),
           "give bounds of which the lower is at least 1 and the upper no less");
  }
  if (options.warmup_budget_ns < 0 || options.measure_budget_ns < 0) {
    refuse("a budget is negative", "give budgets of 0 ns or more");
  }
  if (options.buffer_bytes == 0) {
    refuse("activity buffers of 0 bytes are asked for", "give buffers a size, or leave it as it is");
  }
}

Flush flush_of(const BenchOptions& options) {
  return options.flush.value_or(options.protocol == Protocol::method_1 ? Flush::memset : Flush::read);
}

// An explicit count is split over the passes, so that a comparison takes as many samples as timing one implementation.
Counts counts_for(double cost_ns, int passes, const BenchOptions& options) {
  const int lower = std::max(1, options.min_iterations / passes);
  const int upper = std::max(1, options.max_iterations / passes);
  Counts counts;
  counts.warmup = core::iterations_for(options.warmup_budget_ns / passes, cost_ns, lower, upper);
  const int measured = core::iterations_for(options.measure_budget_ns / passes, cost_ns, lower, upper);
  for (int pass = 0; pass < passes; ++pass) {
    const int wanted = options.iterations ? (*options.iterations + passes - 1 - pass) / passes : measured;
    counts.measure.push_back(std::max(1, wanted));
  }
  return counts;
}

// Whether calls are made on trial first: to see whether they can be held, or how long they are.
bool needs_trial(const BenchOptions& options) {
  return options.timing == Timing::cupti &&
         (wanted_launch(options) != Launch::direct || pacing_of(options) > 0 || probes_clock(options));
}

// What a candidate needs beside its counts.
struct Plan {
  Counts counts;
  CallMode mode;
  std::int64_t tail_limit_ns = 0;
};

// One call first: a kernel loaded at its first launch would be taken for an expensive one.
double calibrate(Stage& stage, const Candidate& candidate, Flush flush) {
  const auto call = [&] {
    prepare_call(stage, candidate, flush);
    candidate.run(stage.stream());
  };
  call();
  stage.drain();
  const double cost_ns = stage.time_calls_ns(kCalibrationCalls, call);
  stage.drain();
  return cost_ns;
}

void warm_up(Stage& stage, const Candidate& candidate, const Plan& plan) {
  for (int i = 0; i < plan.counts.warmup; ++i) {
    prepare_call(stage, candidate, plan.mode.flush);
    candidate.run(stage.stream());
    stage.drain();
    stage.idle(plan.mode.idle_ns);
  }
}

std::vector<Sample> time_by_events(Stage& stage, const Candidate& candidate, Flush flush, int iterations) {
  std::vector<Sample> samples;
  for (int i = 0; i < iterations; ++i) {
    prepare_call(stage, candidate, flush);
    const std::int64_t elapsed_ns = stage.time_one_ns([&] { candidate.run(stage.stream()); });
    stage.drain();
    Sample sample;
    sample.busy_ns = elapsed_ns;
    sample.latency_ns = elapsed_ns;
    samples.push_back(sample);
  }
  return samples;
}

Measured start_of(const Candidate& candidate, const BenchOptions& options) {
  Measured measured;
  measured.measurement.name = candidate.name;
  measured.measurement.protocol = options.protocol;
  measured.measurement.timing = options.timing;
  measured.measurement.flush = flush_of(options);
  measured.measurement.pacing = pacing_of(options);
  return measured;
}

// Idle in proportion to the call, and never so long that a phase of long calls takes seconds.
std::int64_t idle_ns(double pacing, std::int64_t busy_ns, int iterations) {
  const double wanted_ns = pacing * static_cast<double>(busy_ns);
  return std::llround(std::min(wanted_ns, static_cast<double>(kMostIdlePerPhaseNs) / std::max(1, iterations)));
}

class Comparison {
 public:
  Comparison(collect::Collector& collector, Stage& stage, const std::vector<Candidate>& candidates,
             const BenchOptions& options, const Progress& progress)
      : collector_(collector),
        stage_(stage),
        candidates_(candidates),
        options_(options),
        progress_(progress),
        passes_(candidates.size() > 1 ? 2 : 1) {
    options_.launch = wanted_launch(options);
  }

  std::vector<Measured> measure() {
    if (!prepare()) {
      return std::move(all_);
    }
    for (int pass = 0; pass < passes_; ++pass) {
      for (std::size_t step = 0; step < candidates_.size(); ++step) {
        const std::size_t index = pass == 0 ? step : candidates_.size() - 1 - step;
        if (!run_pass(index, pass)) {
          return std::move(all_);
        }
      }
    }
    return std::move(all_);
  }

 private:
  // False: an issue ends the measurement.
  bool prepare() {
    const bool trial = needs_trial(options_);
    if (trial) {
      progress_("clock");
      stage_.wait_for_clock();
    }
    progress_("calibrate");
    const TailLimits tails = probes_clock(options_) ? calibrate_tail(collector_, stage_) : TailLimits{};
    for (const Candidate& candidate : candidates_) {
      all_.push_back(start_of(candidate, options_));
      Plan& plan = plans_.emplace_back();
      plan.mode.flush = flush_of(options_);
      plan.mode.probed = probes_clock(options_);
      plan.counts = counts_for(calibrate(stage_, candidate, plan.mode.flush), passes_, options_);
      all_.back().measurement.warmup_iterations = plan.counts.warmup;
      if (trial && !settle(candidate, plan, all_.back())) {
        return false;
      }
      plan.tail_limit_ns = tail_limit_ns(candidate, plan, tails);
    }
    return true;
  }

  bool settle(const Candidate& candidate, Plan& plan, Measured& measured) {
    LaunchMode mode = settle_launch(collector_, stage_, candidate, options_, plan.mode.flush);
    if (!mode.trial.reading.issues.empty()) {
      add_pass(measured, std::move(mode.trial));
      return false;
    }
    measured.measurement.launch = mode.launch;
    measured.measurement.launch_reason = std::move(mode.reason);
    plan.mode.held = mode.launch == Launch::queued;
    plan.mode.isolated = mode.isolated;
    plan.mode.idle_ns = idle_ns(pacing_of(options_), mode.busy_ns, plan.counts.measure.front());
    return true;
  }

  // A call that waits for the device may keep the host for longer than the limit, without any work on the device.
  std::int64_t tail_limit_ns(const Candidate& candidate, const Plan& plan, const TailLimits& tails) {
    if (plan.mode.held) {
      return tails.held_ns;
    }
    const bool may_wait = plan.mode.probed && !plan.mode.isolated;
    return tails.direct_ns +
           (may_wait ? time_host(collector_, stage_, candidate, options_, plan.mode.flush, tails.direct_ns) : 0);
  }

  bool run_pass(std::size_t index, int pass) {
    const Candidate& candidate = candidates_[index];
    const Plan& plan = plans_[index];
    const int iterations = plan.counts.measure.at(static_cast<std::size_t>(pass));
    progress_("warm-up");
    warm_up(stage_, candidate, plan);
    progress_("measure");
    if (options_.timing == Timing::cuda_events) {
      add_event_pass(all_[index], time_by_events(stage_, candidate, plan.mode.flush, iterations));
      return true;
    }
    add_pass(all_[index], run_phase(collector_, stage_,
                                    {.candidate = candidate,
                                     .mode = plan.mode,
                                     .pass = pass,
                                     .iterations = iterations,
                                     .buffer_bytes = options_.buffer_bytes,
                                     .copies_allowed = options_.count_copies,
                                     .tail_limit_ns = plan.tail_limit_ns}));
    return all_[index].issues.empty();
  }

  collect::Collector& collector_;
  Stage& stage_;
  const std::vector<Candidate>& candidates_;
  BenchOptions options_;
  const Progress& progress_;
  int passes_;
  std::vector<Plan> plans_;
  std::vector<Measured> all_;
};

}  // namespace

std::optional<Launch> wanted_launch(const BenchOptions& options) {
  const bool queues = options.protocol == Protocol::opgate_1 && options.timing == Timing::cupti;
  return options.launch || queues ? options.launch : Launch::direct;
}

bool probes_clock(const BenchOptions& options) {
  return options.timing == Timing::cupti && options.probe_clock.value_or(options.protocol == Protocol::opgate_1);
}

double pacing_of(const BenchOptions& options) {
  const bool paces = options.protocol == Protocol::opgate_1 && options.timing == Timing::cupti;
  return options.pacing.value_or(paces ? 1 : 0);
}

std::vector<Measured> measure_candidates(collect::Collector& collector, Stage& stage,
                                         const std::vector<Candidate>& candidates, const BenchOptions& options,
                                         const Progress& progress) {
  if (candidates.empty()) {
    throw Error(ErrorKind::usage, "nothing to measure", {}, "pass at least one candidate");
  }
  check(options);
  return Comparison(collector, stage, candidates, options, progress).measure();
}

}  // namespace opgate::measure
