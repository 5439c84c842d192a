#include "measure/protocol.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/statistics.hpp"
#include "measure/phase.hpp"
#include "measure/pooling.hpp"

namespace opgate::measure {
namespace {

constexpr int kCalibrationCalls = 3;

struct Counts {
  int warmup = 0;
  std::vector<int> measure;  // one per pass
};

void refuse(const std::string& what, const std::string& remedy) {
  throw Error(ErrorKind::usage, what, "options", remedy);
}

// Nothing that was asked for may be left undone in silence.
void check(const BenchOptions& options) {
  if (options.launch == Launch::queued) {
    refuse("calls cannot be queued, only launched directly", "ask for Launch::direct, or leave the launch mode open");
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

void warm_up(Stage& stage, const Candidate& candidate, Flush flush, int iterations) {
  for (int i = 0; i < iterations; ++i) {
    prepare_call(stage, candidate, flush);
    candidate.run(stage.stream());
    stage.drain();
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

Measured start_of(const Candidate& candidate, const BenchOptions& options, int warmup_iterations) {
  Measured measured;
  measured.measurement.name = candidate.name;
  measured.measurement.protocol = options.protocol;
  measured.measurement.timing = options.timing;
  measured.measurement.flush = flush_of(options);
  measured.measurement.launch = options.launch.value_or(Launch::direct);
  measured.measurement.warmup_iterations = warmup_iterations;
  return measured;
}

void run_pass(collect::Collector& collector, Stage& stage, const Candidate& candidate, const BenchOptions& options,
              int pass, int iterations, Measured& measured) {
  if (options.timing == Timing::cuda_events) {
    add_event_pass(measured, time_by_events(stage, candidate, flush_of(options), iterations));
    return;
  }
  add_pass(measured, run_phase(collector, stage,
                               {.candidate = candidate,
                                .flush = flush_of(options),
                                .pass = pass,
                                .iterations = iterations,
                                .buffer_bytes = options.buffer_bytes,
                                .copies_allowed = options.count_copies}));
}

}  // namespace

std::vector<Measured> measure_candidates(collect::Collector& collector, Stage& stage,
                                         const std::vector<Candidate>& candidates, const BenchOptions& options,
                                         const Progress& progress) {
  if (candidates.empty()) {
    throw Error(ErrorKind::usage, "nothing to measure", {}, "pass at least one candidate");
  }
  check(options);
  const Flush flush = flush_of(options);
  const int passes = candidates.size() > 1 ? 2 : 1;
  std::vector<Counts> counts;
  std::vector<Measured> all;
  progress("calibrate");
  for (const Candidate& candidate : candidates) {
    counts.push_back(counts_for(calibrate(stage, candidate, flush), passes, options));
    all.push_back(start_of(candidate, options, counts.back().warmup));
  }
  for (int pass = 0; pass < passes; ++pass) {
    for (std::size_t step = 0; step < candidates.size(); ++step) {
      const std::size_t index = pass == 0 ? step : candidates.size() - 1 - step;
      progress("warm-up");
      warm_up(stage, candidates[index], flush, counts[index].warmup);
      progress("measure");
      run_pass(collector, stage, candidates[index], options, pass,
               counts[index].measure.at(static_cast<std::size_t>(pass)), all[index]);
      if (!all[index].issues.empty()) {
        return all;
      }
    }
  }
  return all;
}

}  // namespace opgate::measure
