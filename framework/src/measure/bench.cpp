#include <memory>
#include <utility>

#include "collect/trace.hpp"
#include "core/attribution.hpp"
#include "core/statistics.hpp"
#include "measure/cuda_stage.hpp"
#include "measure/protocol.hpp"
#include "opgate/bench.hpp"

namespace opgate {
namespace {

// Built at the first use, after tracing is on; never destroyed, because the CUDA driver may be gone by then.
measure::Stage& process_stage() {
  static measure::Stage* const stage = measure::make_cuda_stage().release();
  return *stage;
}

[[noreturn]] void refuse(const measure::Measured& measured) {
  const core::Issue& issue = measured.issues.front();
  const std::string name = measured.measurement.name.empty() ? "bench" : measured.measurement.name;
  throw Error(issue.kind, issue.text, name);
}

}  // namespace

void start_tracing() {
  collect::cupti_collector().start();
}

std::vector<Measurement> compare(const std::vector<Candidate>& candidates, const BenchOptions& options) {
  if (options.timing == Timing::cupti) {
    start_tracing();
  }
  std::vector<measure::Measured> all =
      measure::measure_candidates(collect::cupti_collector(), process_stage(), candidates, options, [](auto) {});
  for (const measure::Measured& measured : all) {
    if (!measured.issues.empty()) {
      refuse(measured);
    }
  }
  std::vector<Measurement> measurements;
  measurements.reserve(all.size());
  for (measure::Measured& measured : all) {
    measurements.push_back(std::move(measured.measurement));
  }
  return measurements;
}

Measurement bench(const Callable& run, const BenchOptions& options) {
  return std::move(compare({Candidate{.name = {}, .run = run, .reset = {}}}, options).front());
}

}  // namespace opgate
