#include <algorithm>

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

core::Conditions conditions_of(const core::DeviceIdentity& device, const Measurement& measurement) {
  return {.device_name = device.name,
          .driver_branch = leading_parts(device.driver, 1),
          .cuda = leading_parts(device.cuda, 2),
          .protocol = name_of(measurement.protocol),
          .timing = name_of(measurement.timing),
          .flush = name_of(measurement.flush),
          .launch = name_of(measurement.launch),
          .pacing = "none"};
}

}  // namespace

std::optional<core::CaseRun> case_run(const CaseResult& result, const core::Attempt& attempt) {
  const auto ours = std::find_if(attempt.implementations.begin(), attempt.implementations.end(),
                                 [](const core::ImplementationResult& i) { return i.measurement.name.empty(); });
  if (attempt.status != core::Status::measured || ours == attempt.implementations.end() ||
      ours->measurement.samples.empty()) {
    return std::nullopt;
  }
  return core::CaseRun{.identity = result.identity,
                       .conditions = conditions_of(attempt.device, ours->measurement),
                       .unit = attempt.device.uuid,
                       .tick_ns = attempt.device.tick_ns,
                       .max_sm_mhz = attempt.device.max_sm_mhz,
                       .samples = ours->measurement.samples,
                       .group_names = ours->kernel_groups};
}

}  // namespace opgate::store
