#include "measure/phase.hpp"

#include <cstdint>
#include <utility>

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

  core::PhaseRecords end() {
    core::PhaseRecords records = collector_.end_phase();
    open_ = false;
    return records;
  }

  [[nodiscard]] std::uint32_t nonce() const noexcept { return nonce_; }

 private:
  collect::Collector& collector_;
  std::uint32_t nonce_;
  bool open_ = true;
};

PhaseOutcome attempt_phase(collect::Collector& collector, Stage& stage, const PhaseRequest& request, int attempt,
                           std::size_t buffer_bytes) {
  OpenPhase phase(collector, {.kind = collect::PhaseKind::measure,
                              .implementation = request.candidate.name,
                              .pass = request.pass,
                              .attempt = attempt,
                              .iterations = request.iterations,
                              .buffer_bytes = buffer_bytes});
  for (int i = 0; i < request.iterations; ++i) {
    phase.labelled(core::kPreparation, [&] { prepare_call(stage, request.candidate, request.flush); });
    phase.labelled(static_cast<std::uint32_t>(i), [&] { request.candidate.run(stage.stream()); });
    stage.drain();
  }
  PhaseOutcome outcome;
  outcome.records = phase.end();
  outcome.reading = core::read_phase(outcome.records, {.external_kind = collector.external_kind(),
                                                       .nonce = phase.nonce(),
                                                       .iterations = request.iterations,
                                                       .copies_allowed = request.copies_allowed});
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
