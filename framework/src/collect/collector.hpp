#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/records.hpp"
#include "opgate/bench.hpp"

namespace opgate::collect {

enum class PhaseKind : std::uint8_t { proof, warmup, measure };

struct PhasePlan {
  PhaseKind kind = PhaseKind::measure;
  std::string implementation;  // "" = ours; for the trace's reader
  int pass = 0;                // 0, 1 in a comparison
  int attempt = 1;             // 1 .. 3
  int iterations = 0;
  std::size_t buffer_bytes = 0;  // wanted size of each activity buffer; 0: the default
  bool held = false;             // the calls are issued while the device is held
  bool every_api = false;        // not only APIs that put work on the device are traced
  bool drained = false;          // the device is drained where a call may wait for it: core::PhaseRecords::drains

  bool operator==(const PhasePlan&) const = default;
};

// The world of activity records: CUPTI, or a recorded trace. One enablement per process; phases lie inside it and are
// told apart by a nonce. Every method may throw Error(cupti) or Error(trace); none leaves a label behind.
class Collector {
 public:
  Collector() = default;
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;
  virtual ~Collector() = default;

  // Turns tracing on and proves the drop counter live by forcing a loss. Idempotent.
  virtual void start() = 0;
  // Returns the nonce that this phase's external ids must carry.
  virtual std::uint32_t begin_phase(const PhasePlan& plan) = 0;
  // On the calling thread's CUSTOM2 stack. pop reports a stack that the call left unbalanced as Error(attribution).
  virtual void push(std::uint64_t external_id) = 0;
  virtual void pop(std::uint64_t expected_id) = 0;
  // Synchronises every device, forces a flush, returns what was delivered since begin_phase, with what the stage saw
  // in that phase beside it (a trace returns what its stage saw).
  virtual core::PhaseRecords end_phase(core::StageFacts facts) = 0;
  // Gives up on a phase after an exception: stack emptied, records discarded. Never throws.
  virtual void abandon_phase() noexcept = 0;

  [[nodiscard]] virtual std::uint32_t external_kind() const = 0;
  // Whether the next phase may be a drained one: an older trace has none.
  [[nodiscard]] virtual bool can_drain() const = 0;
};

}  // namespace opgate::collect
