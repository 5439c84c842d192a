#include "report/figures.hpp"

#include <algorithm>

#include "core/statistics.hpp"

namespace opgate::report {
namespace {

void add_rates(Figures& figures, const core::CaseIdentity& identity) {
  if (!figures.busy_ns || *figures.busy_ns <= 0) {
    return;
  }
  if (identity.flops) {
    figures.tflops = core::tflops(*identity.flops, *figures.busy_ns);
  }
  if (identity.bytes_read && identity.bytes_written) {
    figures.bandwidth_tbs = core::bandwidth_tbs(*identity.bytes_read + *identity.bytes_written, *figures.busy_ns);
  } else if (identity.bytes) {
    figures.bandwidth_tbs = core::bandwidth_tbs(*identity.bytes, *figures.busy_ns);
  }
}

}  // namespace

Figures figures_of(const core::ImplementationResult& implementation, const core::CaseIdentity& identity) {
  Figures figures{core::figures_of(implementation), {}, {}, {}, {}};
  if (implementation.imported) {
    figures.summary = implementation.imported->summary;
  }
  add_rates(figures, identity);
  figures.groups = core::group_figures(implementation);
  return figures;
}

std::optional<core::CeilingShare> ceiling_of(const store::CaseResult& result, const core::Attempt& attempt) {
  const core::ImplementationResult* const ours = ours_of(attempt);
  if (ours == nullptr) return std::nullopt;
  return core::ceiling_share(result.identity, attempt.device, core::figures_of(*ours).busy_ns, result.ceilings);
}

const core::ImplementationResult* ours_of(const core::Attempt& attempt) {
  const auto ours = std::find_if(attempt.implementations.begin(), attempt.implementations.end(),
                                 [](const auto& i) { return i.measurement.name.empty(); });
  return ours == attempt.implementations.end() ? nullptr : &*ours;
}

std::optional<double> clock_corrected_ns(const core::SampleFigures& figures, std::int32_t max_sm_mhz) {
  return figures.cycles && max_sm_mhz > 0 ? std::optional(*figures.cycles * 1000 / max_sm_mhz) : std::nullopt;
}

}  // namespace opgate::report
