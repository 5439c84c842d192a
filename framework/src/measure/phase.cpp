#include "measure/phase.hpp"

#include <cstdint>
#include <utility>

#include "core/hold.hpp"

namespace opgate::measure {
namespace {

// Ends a phase on the way out of an exception, so that no label and no record outlives it.
class OpenPhase {
 public:
  OpenPhase(collect::Collector& collector, const collect::PhasePlan& plan)
      : collector_(collector), nonce_(collector.begin_phase(plan)) {}
  OpenPhase(const OpenPhase&) = delete;
  OpenPhase& operator=(const OpenPhase&) = delete;
  ~OpenPhase() {
    if (open_) {
      collector_.abandon_phase();
    }
  }

  template <class Body>
  void labelled(std::uint32_t iteration, const Body& body) {
    const std::uint64_t id = core::external_id(nonce_, iteration);
    collector_.push(id);
    body();
    collector_.pop(id);
  }

  core::PhaseRecords end(core::StageFacts facts) {
    core::PhaseRecords records = collector_.end_phase(std::move(facts));
    open_ = false;
    return records;
  }

  [[nodiscard]] std::uint32_t nonce() const noexcept { return nonce_; }

 private:
  collect::Collector& collector_;
  std::uint32_t nonce_;
  bool open_ = true;
};

// Lets the device go on the way out of an exception, too: everything after would wait for it.
class Held {
 public:
  Held(Stage& stage, bool wanted, std::uint32_t iteration) : stage_(wanted ? &stage : nullptr) {
    if (stage_ != nullptr) {
      stage_->hold(iteration);
    }
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    if (stage_ != nullptr) {
      stage_->release();
    }
  }

 private:
  Stage* stage_;
};

void run_iteration(OpenPhase& phase, Stage& stage, const PhaseRequest& request, std::uint32_t i) {
  const CallMode& mode = request.mode;
  phase.labelled(core::kPreparation, [&] { prepare_call(stage, request.candidate, mode.flush); });
  {
    const Held held(stage, mode.held, i);
    if (mode.probed) {
      phase.labelled(core::kOpeningProbe | i, [&] { stage.probe_clock(); });
    }
    if (mode.isolated) {
      stage.drain();
    }
    phase.labelled(i, [&] { request.candidate.run(stage.stream()); });
    if (mode.probed) {
      phase.labelled(core::kClosingProbe | i, [&] { stage.probe_clock(); });
    }
  }
  stage.drain();
  stage.idle(mode.idle_ns);
}

PhaseOutcome attempt_phase(collect::Collector& collector, Stage& stage, const PhaseRequest& request, int attempt,
                           std::size_t buffer_bytes) {
  static_cast<void>(stage.take_facts());  // of a phase that an exception ended
  OpenPhase phase(collector, {.kind = request.kind,
                              .implementation = request.candidate.name,
                              .pass = request.pass,
                              .attempt = attempt,
                              .iterations = request.iterations,
                              .buffer_bytes = buffer_bytes,
                              .held = request.mode.held,
                              .every_api = request.every_api,
                              .drained = request.drained});
  for (int i = 0; i < request.iterations; ++i) {
    run_iteration(phase, stage, request, static_cast<std::uint32_t>(i));
  }
  PhaseOutcome outcome;
  outcome.nonce = phase.nonce();
  outcome.records = phase.end(stage.take_facts());
  outcome.reading = core::read_phase(outcome.records, {.external_kind = collector.external_kind(),
                                                       .nonce = outcome.nonce,
                                                       .iterations = request.iterations,
                                                       .copies_allowed = request.copies_allowed});
  if (outcome.reading.issues.empty() && request.kind == collect::PhaseKind::measure) {
    outcome.reading.issues = core::find_hold_issues(
        outcome.records, outcome.reading, {.held = request.mode.held, .tail_limit_ns = request.tail_limit_ns});
  }
  return outcome;
}

}  // namespace

void prepare_call(Stage& stage, const Candidate& candidate, Flush flush) {
  if (candidate.reset) {
    candidate.reset(stage.stream());
  }
  stage.flush_l2(flush);
}

PhaseOutcome run_phase(collect::Collector& collector, Stage& stage, const PhaseRequest& request) {
  std::size_t buffer_bytes = request.buffer_bytes;
  for (int attempt = 1;; ++attempt) {
    PhaseOutcome outcome = attempt_phase(collector, stage, request, attempt, buffer_bytes);
    outcome.retries = attempt - 1;
    const bool lossy = !outcome.reading.issues.empty() && outcome.reading.issues.front().retry;
    if (!lossy || attempt == kMaxAttempts) {
      return outcome;
    }
    buffer_bytes *= kBufferGrowth;
  }
}

}  // namespace opgate::measure
