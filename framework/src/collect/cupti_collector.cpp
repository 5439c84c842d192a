#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "collect/collector.hpp"
#include "collect/cuda_devices.hpp"
#include "collect/cupti_filter.hpp"
#include "collect/cupti_idle.hpp"
#include "collect/cupti_proof.hpp"
#include "collect/cupti_session.hpp"
#include "collect/label_board.hpp"
#include "collect/nonce.hpp"
#include "collect/trace.hpp"
#include "collect/tracing_proof.hpp"
#include "core/attribution.hpp"
#include "opgate/error.hpp"

namespace opgate::collect {
namespace {

constexpr std::size_t kDefaultBufferBytes = std::size_t{256} * 1024;
// Too small for any record, so everything is lost.
constexpr std::size_t kProofBufferBytes = 8;

std::uint64_t nonce_seed() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  return static_cast<std::uint64_t>(now) * 0x9e37'79b9'7f4a'7c15U ^ static_cast<std::uint64_t>(::getpid());
}

// Lives until the process ends: a thread of the op may outlive main.
LabelBoard& labels() {
  static auto* const board = new LabelBoard(push_external_id, pop_external_id);
  return *board;
}

class CuptiCollector final : public Collector {
 public:
  void start() override;
  std::uint32_t begin_phase(const PhasePlan& plan) override;
  void push(std::uint64_t external_id) override;
  void pop(std::uint64_t expected_id) override;
  core::PhaseRecords end_phase(core::StageFacts facts) override;
  void abandon_phase() noexcept override;
  [[nodiscard]] std::uint32_t external_kind() const override { return collect::external_kind(); }
  [[nodiscard]] bool can_drain() const override { return true; }

 private:
  void prove_drop_counter();
  void set_aside(std::size_t buffer_bytes);
  std::vector<std::optional<core::Drain>> end_drains() noexcept;
  void trace_every_api(bool wanted);
  // Of no phase: work that carries it is in none.
  std::uint64_t marker_id() { return core::external_id(nonces_.next(), core::kPreparation); }

  CuptiSession& session_ = CuptiSession::instance();
  CuptiProof proof_{session_};
  NonceSequence nonces_{nonce_seed()};
  std::optional<CuptiIdle> idle_;  // of a drained phase
  bool started_ = false;
  bool in_phase_ = false;
  bool every_api_ = false;
  bool drop_counter_proven_ = false;
};

void CuptiCollector::start() {
  if (started_) return;
  session_.enable();
  // Handlers run in reverse order, so this one before those of CUPTI and CUDA, which registered theirs earlier.
  std::atexit([] { CuptiSession::instance().disable(); });
  try {
    prove_drop_counter();
    proof_.prove_at_start(marker_id());
  } catch (...) {
    session_.disable();
    throw;
  }
  serve_labels(&labels());
  started_ = true;
}

// The counter reads 0 when nothing was dropped and also when CUPTI is not live; only a forced loss tells these apart.
void CuptiCollector::prove_drop_counter() {
  set_aside(kProofBufferBytes);
  do_something_traceable();
  drain_devices();
  session_.flush();
  const std::optional<std::uint64_t> dropped = session_.take_dropped();
  drop_counter_proven_ = dropped.has_value() && *dropped > 0;
  set_aside(kDefaultBufferBytes);
}

// Delivers and discards whatever lies between phases, so that CUPTI asks for buffers of the new size and the next
// phase finds neither records nor drops of an earlier one.
void CuptiCollector::set_aside(std::size_t buffer_bytes) {
  drain_devices();
  session_.buffers().set_size(buffer_bytes);
  session_.flush();
  static_cast<void>(session_.take_dropped());
}

void CuptiCollector::trace_every_api(bool wanted) {
  if (wanted != every_api_) {
    wanted ? unfilter_apis() : filter_apis();
    every_api_ = wanted;
  }
}

std::uint32_t CuptiCollector::begin_phase(const PhasePlan& plan) {
  if (!started_) {
    throw Error(ErrorKind::cupti, "a phase was begun before tracing was on", "begin_phase",
                "call opgate::start_tracing() first");
  }
  if (in_phase_) throw Error(ErrorKind::cupti, "a phase was begun inside another one", "begin_phase");
  set_aside(plan.buffer_bytes == 0 ? kDefaultBufferBytes : plan.buffer_bytes);
  trace_every_api(plan.every_api);
  if (plan.drained) idle_.emplace(plan.iterations);
  session_.buffers().open();
  in_phase_ = true;
  return nonces_.next();
}

void CuptiCollector::push(std::uint64_t external_id) {
  labels().open(external_id);
  const auto label = static_cast<std::uint32_t>(external_id);
  if (idle_ && (label & ~core::kIterationMask) == 0) idle_->open(label);
}

void CuptiCollector::pop(std::uint64_t expected_id) {
  if (idle_) idle_->close();
  labels().close(expected_id);
}

// Before anything else uses CUPTI, and before the op is called again.
std::vector<std::optional<core::Drain>> CuptiCollector::end_drains() noexcept {
  std::vector<std::optional<core::Drain>> drains;
  if (idle_) drains = idle_->end();
  idle_.reset();
  return drains;
}

core::PhaseRecords CuptiCollector::end_phase(core::StageFacts facts) {
  if (!in_phase_) throw Error(ErrorKind::cupti, "no phase is open", "end_phase");
  std::vector<std::optional<core::Drain>> drains = end_drains();
  labels().check();
  core::PhaseRecords records = take_records(session_, drop_counter_proven_);
  in_phase_ = false;
  records.drains = std::move(drains);
  records.stage = std::move(facts);
  trace_every_api(false);
  // A phase that lost records is measured again, or fails, whatever else there is to say of it.
  if (records.dropped == 0U) {
    proof_.prove_after_phase(marker_id());
    if (launched_graphs(records)) proof_.prove_graphs(marker_id());
  }
  return records;
}

void CuptiCollector::abandon_phase() noexcept {
  static_cast<void>(end_drains());
  try {
    labels().abandon();
    trace_every_api(false);
    // Devices may be in an error state; the next begin_phase synchronises, flushes and discards.
    session_.buffers().recycle(session_.buffers().close());
  } catch (...) {
    // Only a failing CUPTI or a lack of memory comes here, and the error that led to this call is already on its way.
  }
  in_phase_ = false;
}

}  // namespace

Collector& cupti_collector() {
  static Collector* const collector = new CuptiCollector();
  return *collector;
}

}  // namespace opgate::collect
