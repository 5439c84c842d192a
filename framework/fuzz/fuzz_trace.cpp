#include <cstddef>
#include <cstdint>
#include <string>

#include "clear.hpp"
#include "collect/trace.hpp"
#include "core/attribution.hpp"
#include "run/replay.hpp"

namespace {

using opgate::fuzz::require;

void read_phases(const opgate::collect::Trace& trace) {
  for (const opgate::collect::TracePhase& phase : trace.phases) {
    for (const bool copies : {false, true}) {
      const opgate::core::PhaseLabels labels{trace.external_kind, phase.nonce, phase.plan.iterations, copies};
      const opgate::core::Reading reading = opgate::core::read_phase(phase.records, labels);
      require(reading.issues.empty() || reading.samples.empty(), "samples beside an issue");
      for (const opgate::Sample& sample : reading.samples) {
        require(sample.busy_ns >= 0 && sample.busy_ns <= sample.latency_ns, "busy outside of the span");
        require(sample.gap_ns == sample.latency_ns - sample.busy_ns, "a gap that is none");
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace collect = opgate::collect;
  const std::string text(opgate::fuzz::text_of(data, size));
  collect::Trace trace;
  if (!opgate::fuzz::accepts(opgate::ErrorKind::trace, [&] { trace = collect::parse_trace(text, "a.jsonl"); })) {
    return 0;
  }
  const std::string written = collect::format_trace(trace);
  require(collect::parse_trace(written, "written").phases == trace.phases, "written and read again it differs",
          written);
  read_phases(trace);
  const opgate::core::Attempt attempt = opgate::run::replay_trace(trace);
  require(attempt.status != opgate::core::Status::running, "a replay without an end");
  require(attempt.status == opgate::core::Status::measured || !attempt.message.empty(), "no number and no reason");
  return 0;
}
