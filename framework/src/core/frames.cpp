#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "core/claims.hpp"

namespace opgate::core {

std::optional<Issue> find_disturbance(const Claims& claims, const PhaseRecords& records, int iterations) {
  if (records.stage.clocks.empty() || iterations <= 0) {
    return std::nullopt;
  }
  std::vector<int> probes(static_cast<std::size_t>(iterations), 0);
  for (const Probe& probe : claims.probes) {
    ++probes[probe.iteration];
  }
  for (std::size_t i = 0; i < probes.size(); ++i) {
    if (probes[i] != 2) {
      return Issue{ErrorKind::unproven,
                   fmt::format("CUPTI delivered {} of the 2 clock probes that ran around iteration {}, and counts no "
                               "dropped record: something in this process changed what is traced",
                               probes[i], i),
                   false,
                   "keep the op from enabling or disabling CUPTI activity kinds, and from registering activity "
                   "callbacks of its own"};
    }
  }
  return std::nullopt;
}

std::vector<CallFrame> frames_of(const Claims& claims, int iterations) {
  std::vector<CallFrame> frames;
  if (claims.probes.empty() || iterations <= 0) {
    return frames;
  }
  frames.resize(static_cast<std::size_t>(iterations));
  for (const Probe& probe : claims.probes) {
    CallFrame& frame = frames[probe.iteration];
    (probe.closing ? frame.closing_start_ns : frame.opening_end_ns) =
        probe.closing ? probe.interval.start_ns : probe.interval.end_ns;
  }
  const std::uint32_t device = claims.probes.front().device;
  for (const Work& work : claims.work) {
    CallFrame& frame = frames[work.iteration];
    ++frame.launches;
    if (work.device != device) {
      continue;  // the clocks of two devices cannot be compared
    }
    if (frame.first_start_ns == 0 || work.interval.start_ns < frame.first_start_ns) {
      frame.first_start_ns = work.interval.start_ns;
      frame.first_kernel = work.kernel;
    }
    if (work.interval.end_ns > frame.last_end_ns) {
      frame.last_end_ns = work.interval.end_ns;
      frame.last_kernel = work.kernel;
    }
  }
  return frames;
}

}  // namespace opgate::core
