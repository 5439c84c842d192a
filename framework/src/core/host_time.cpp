#include "core/host_time.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "core/label_map.hpp"

namespace opgate::core {
namespace {

// Longer is no call but a clock that somebody else set.
constexpr std::uint64_t kLongestNs = 60'000'000'000;

// When the host began to launch the probes of an iteration.
struct ProbeLaunches {
  std::optional<std::int64_t> opening_ns;
  std::optional<std::int64_t> closing_ns;
};

std::vector<ProbeLaunches> probe_launches(const PhaseRecords& records, const PhaseLabels& labels) {
  const LabelMap map(records, labels);
  std::vector<ProbeLaunches> launches(static_cast<std::size_t>(labels.iterations));
  for (const RecordBuffer& buffer : records.buffers) {
    for (const Record& record : buffer) {
      if (record.kind != RecordKind::api) {
        continue;
      }
      const Label label = map.find(record.correlation_id);
      if (label.kind != Label::Kind::opening && label.kind != Label::Kind::closing) {
        continue;
      }
      ProbeLaunches& probes = launches[label.iteration];
      std::optional<std::int64_t>& start_ns =
          label.kind == Label::Kind::opening ? probes.opening_ns : probes.closing_ns;
      start_ns = start_ns ? std::min(*start_ns, record.start_ns) : record.start_ns;
    }
  }
  return launches;
}

// Of later after earlier, whatever a trace has for times.
std::uint64_t time_between(std::int64_t earlier_ns, std::int64_t later_ns) {
  return static_cast<std::uint64_t>(later_ns) - static_cast<std::uint64_t>(earlier_ns);
}

// 0 when the drain does not lie between the probes: it was noted by another clock than the records.
std::int64_t host_time_of(const ProbeLaunches& probes, const CallFrame& frame, const std::optional<Drain>& drain,
                          std::int64_t tail_limit_ns) {
  if (!drain || !probes.opening_ns || !probes.closing_ns || drain->begun_ns < *probes.opening_ns ||
      drain->ended_ns < drain->begun_ns) {
    return 0;
  }
  const std::int64_t known_ns = std::max(drain->begun_ns, frame.last_end_ns);
  if (drain->ended_ns > known_ns &&
      time_between(known_ns, drain->ended_ns) > static_cast<std::uint64_t>(tail_limit_ns)) {
    return 0;
  }
  // Work that was launched by a call which nobody knows for one ends later.
  const std::int64_t idle_ns = std::max(drain->ended_ns, frame.last_end_ns);
  if (idle_ns >= *probes.closing_ns) {
    return 0;
  }
  const std::uint64_t time_ns = time_between(idle_ns, *probes.closing_ns);
  return time_ns > kLongestNs ? 0 : static_cast<std::int64_t>(time_ns);
}

// A drain waits for the context that each device has by itself, and may miss another one's work.
bool is_one_context_a_device(const PhaseRecords& records) {
  std::map<std::uint32_t, std::uint32_t> contexts;
  for (const RecordBuffer& buffer : records.buffers) {
    for (const Record& record : buffer) {
      const bool work = record.kind != RecordKind::api && record.kind != RecordKind::external;
      if (work && contexts.emplace(record.device_id, record.context_id).first->second != record.context_id) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

std::int64_t host_time_ns(const PhaseRecords& records, const Reading& reading, const PhaseLabels& labels,
                          std::int64_t tail_limit_ns) {
  const std::size_t calls = reading.frames.size();
  if (!reading.issues.empty() || !is_one_context_a_device(records) || calls == 0 || tail_limit_ns < 0 ||
      records.drains.size() != calls || calls != static_cast<std::size_t>(labels.iterations)) {
    return 0;
  }
  const std::vector<ProbeLaunches> launches = probe_launches(records, labels);
  std::vector<std::int64_t> times_ns;
  for (std::size_t i = 0; i < calls; ++i) {
    times_ns.push_back(host_time_of(launches[i], reading.frames[i], records.drains[i], tail_limit_ns));
  }
  const auto median = times_ns.begin() + static_cast<std::ptrdiff_t>((calls - 1) / 2);
  std::nth_element(times_ns.begin(), median, times_ns.end());
  return *median;
}

}  // namespace opgate::core
