#include "measure/host_time.hpp"

#include "core/host_time.hpp"
#include "measure/phase.hpp"

namespace opgate::measure {
namespace {

constexpr int kCalls = 5;  // of which two may be interrupted

}  // namespace

std::int64_t time_host(collect::Collector& collector, Stage& stage, const Candidate& candidate,
                       const BenchOptions& options, Flush flush, std::int64_t tail_limit_ns) {
  if (!collector.can_drain()) {
    return 0;
  }
  const PhaseOutcome outcome = run_phase(collector, stage,
                                         {.candidate = candidate,
                                          .kind = collect::PhaseKind::warmup,
                                          .mode = {.flush = flush, .probed = true},
                                          .iterations = kCalls,
                                          .buffer_bytes = options.buffer_bytes,
                                          .copies_allowed = options.count_copies,
                                          .drained = true});
  // What is wrong with these calls is told by those that are measured.
  return core::host_time_ns(outcome.records, outcome.reading,
                            {.external_kind = collector.external_kind(),
                             .nonce = outcome.nonce,
                             .iterations = kCalls,
                             .copies_allowed = options.count_copies},
                            tail_limit_ns);
}

}  // namespace opgate::measure
