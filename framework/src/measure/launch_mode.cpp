#include "measure/launch_mode.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/hold.hpp"
#include "measure/pooling.hpp"

namespace opgate::measure {
namespace {

constexpr int kTrialCalls = 3;

PhaseRequest trial_of(const Candidate& candidate, const BenchOptions& options, Flush flush, bool held) {
  return {.candidate = candidate,
          .kind = collect::PhaseKind::warmup,
          .mode = {.flush = flush, .held = held, .probed = true},
          .iterations = kTrialCalls,
          .buffer_bytes = options.buffer_bytes,
          .copies_allowed = options.count_copies};
}

// One held call more, with every API traced, to name the one that waits.
PhaseOutcome trace_blocking_call(collect::Collector& collector, Stage& stage, PhaseRequest request) {
  request.iterations = 1;
  request.every_api = true;
  return run_phase(collector, stage, request);
}

std::string name_of_blocking_call(const collect::Collector& collector, const PhaseRequest& request,
                                  const PhaseOutcome& outcome) {
  return core::longest_api_call(outcome.records, {.external_kind = collector.external_kind(),
                                                  .nonce = outcome.nonce,
                                                  .iterations = 1,
                                                  .copies_allowed = request.copies_allowed});
}

}  // namespace

LaunchMode settle_launch(collect::Collector& collector, Stage& stage, const Candidate& candidate,
                         const BenchOptions& options, Flush flush) {
  const bool held = options.launch != Launch::direct;
  const PhaseRequest request = trial_of(candidate, options, flush, held);
  LaunchMode mode;
  mode.trial = run_phase(collector, stage, request);
  if (!mode.trial.reading.issues.empty()) {
    return mode;
  }
  mode.busy_ns = std::llround(median_busy(mode.trial.reading.samples));
  if (!held) {
    return mode;
  }
  core::HoldReport report = core::judge_hold(mode.trial.records, mode.trial.reading);
  if (report.outcome == core::HoldOutcome::waited) {
    PhaseOutcome traced = trace_blocking_call(collector, stage, request);
    if (!traced.reading.issues.empty()) {
      mode.trial = std::move(traced);
      return mode;
    }
    if (const std::string name = name_of_blocking_call(collector, request, traced); !name.empty()) {
      report.reason += ", in " + name;
    }
  }
  mode.reason = std::move(report.reason);
  mode.isolated = report.outcome == core::HoldOutcome::escaped;
  mode.launch = report.outcome == core::HoldOutcome::held ? Launch::queued : Launch::direct;
  if (options.launch == Launch::queued && mode.launch == Launch::direct) {
    throw Error(ErrorKind::op, fmt::format("the call cannot be queued: {}", mode.reason), candidate.name,
                "measure it with --launch direct, or leave the launch mode open");
  }
  return mode;
}

TailLimits calibrate_tail(collect::Collector& collector, Stage& stage) {
  const Candidate plain{.name = "opgate.tail", .run = [&](Stream) { stage.launch_plain_kernel(); }, .reset = {}};
  // The first launch loads the kernel, which may wait for a held device; a tail of a device that was let go is the
  // host's, and so long that work could hide in it.
  stage.launch_plain_kernel();
  stage.drain();
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    const PhaseOutcome outcome = run_phase(collector, stage,
                                           {.candidate = plain,
                                            .kind = collect::PhaseKind::proof,
                                            .mode = {.flush = Flush::none, .held = true, .probed = true},
                                            .iterations = kTrialCalls});
    if (!outcome.reading.issues.empty()) {
      const core::Issue& issue = outcome.reading.issues.front();
      throw Error(issue.kind, issue.text, "opgate's own kernel", issue.remedy);
    }
    if (outcome.records.stage.let_go.empty()) {
      return {.held_ns = core::tail_limit_ns(outcome.reading.frames, true),
              .direct_ns = core::tail_limit_ns(outcome.reading.frames, false)};
    }
  }
  throw Error(
      ErrorKind::attribution,
      fmt::format("the held device had to be let go in {} tries, so hidden work could not be told from a late host",
                  kMaxAttempts),
      "opgate's own kernel", "leave the case a core of its own: the host took over 100 ms to launch a kernel");
}

}  // namespace opgate::measure
