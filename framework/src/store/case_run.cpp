#include <algorithm>
#include <utility>

#include "store/conditions.hpp"
#include "store/history.hpp"
#include "store/names.hpp"

namespace opgate::store {
namespace {

// "580.159.03", 1 -> "580"; "13.0.2", 2 -> "13.0"
std::string leading_parts(const std::string& version, int parts) {
  std::size_t end = 0;
  for (int i = 0; i < parts && end != std::string::npos; ++i) {
    end = version.find('.', i == 0 ? 0 : end + 1);
  }
  return version.substr(0, end);
}

std::optional<core::Summary> summary_of(const core::ImplementationResult& ours) {
  return ours.imported ? ours.imported->summary : std::nullopt;
}

}  // namespace

core::Conditions conditions_of(const core::DeviceIdentity& device, const core::ImplementationResult& ours) {
  const Method method = method_of(ours);
  return {.device_name = device.name,
          .driver_branch = leading_parts(device.driver, 1),
          .cuda = leading_parts(device.cuda, 2),
          .protocol = method.protocol,
          .timing = method.timing,
          .flush = method.flush,
          .launch = method.launch,
          .pacing = ours.imported ? "" : pacing_name(ours.measurement.pacing)};
}

std::optional<core::CaseRun> case_run(const CaseResult& result, const core::Attempt& attempt) {
  const auto ours = std::find_if(attempt.implementations.begin(), attempt.implementations.end(),
                                 [](const core::ImplementationResult& i) { return i.measurement.name.empty(); });
  if (attempt.status != core::Status::measured || ours == attempt.implementations.end() ||
      (ours->measurement.samples.empty() && !summary_of(*ours) && !ours->kept)) {
    return std::nullopt;
  }
  std::vector<core::LibraryRun> libraries;
  for (const core::ImplementationResult& other : attempt.implementations) {
    if (!other.measurement.name.empty() && !other.measurement.samples.empty()) {
      libraries.push_back({other.measurement.name, other.measurement.samples, other.kernel_groups});
    }
  }
  core::Conditions conditions = conditions_of(attempt.device, *ours);
  if (!ours->imported) {
    conditions.processes = std::to_string(attempt.processes);
  }
  return core::CaseRun{.identity = result.identity,
                       .conditions = std::move(conditions),
                       .unit = attempt.device.uuid,
                       .tick_ns = attempt.device.tick_ns,
                       .max_sm_mhz = attempt.device.max_sm_mhz,
                       .samples = ours->measurement.samples,
                       .group_names = ours->kernel_groups,
                       .summary = summary_of(*ours),
                       .libraries = std::move(libraries),
                       .kept = ours->kept};
}

}  // namespace opgate::store
