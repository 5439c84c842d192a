#include "report/timeline_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace opgate::report {
namespace {

using core::Interval;
using core::Label;

std::optional<double> mhz_of(const collect::TracePhase& phase, std::uint32_t iteration, bool closing) {
  constexpr double kMhzPerCycleNs = 1e3;
  const std::vector<core::ClockReading>& clocks = phase.records.stage.clocks;
  const std::size_t place = 2 * std::size_t{iteration} + (closing ? 1 : 0);
  if (place >= clocks.size() || clocks[place].time_ns <= 0 || clocks[place].cycles <= 0) return std::nullopt;
  return static_cast<double>(clocks[place].cycles) / static_cast<double>(clocks[place].time_ns) * kMhzPerCycleNs;
}

const core::Record* probe_of(const IterationWork& work, Label::Kind kind) {
  for (const PlacedRecord& one : work.records) {
    if (one.label == kind && one.on_device()) return one.record;
  }
  return nullptr;
}

// After the watchdog let one call go, the rest of the phase was not held.
bool was_held(const collect::TracePhase& phase, std::uint32_t iteration) {
  const core::StageFacts& stage = phase.records.stage;
  return phase.plan.held && stage.hold_refusal.empty() &&
         (stage.let_go.empty() || iteration <= *std::min_element(stage.let_go.begin(), stage.let_go.end()));
}

bool let_go(const collect::TracePhase& phase, std::uint32_t iteration) {
  const std::vector<std::uint32_t>& all = phase.records.stage.let_go;
  return std::find(all.begin(), all.end(), iteration) != all.end();
}

class Steps {
 public:
  explicit Steps(const collect::TracePhase& phase) : phase_(phase) {}

  void add(const IterationWork& work, const std::string& remark) {
    add_iteration(work, remark);
    add_flush(work);
    add_hold(work);
    add_probe(work, Label::Kind::opening);
    add_probe(work, Label::Kind::closing);
    for (const std::uint32_t device : work.call_devices()) add_call(work, device);
  }

  std::vector<TimelineTrack> take() {
    std::vector<TimelineTrack> tracks;
    for (TimelineTrack& track : own_) {
      if (!track.events.empty()) tracks.push_back(std::move(track));
    }
    for (auto& [device, rows] : devices_) {
      for (TimelineTrack& track : rows) {
        if (!track.events.empty()) tracks.push_back(std::move(track));
      }
    }
    return tracks;
  }

 private:
  enum Row : std::size_t { iterations, flush, hold, probes };

  static std::int64_t count(const IterationWork& work, core::RecordKind kind) {
    return std::count_if(work.records.begin(), work.records.end(), [&](const PlacedRecord& one) {
      return one.label == Label::Kind::iteration && one.record->kind == kind;
    });
  }

  void add_iteration(const IterationWork& work, const std::string& remark) {
    const std::int64_t kernels = count(work, core::RecordKind::kernel);
    const std::int64_t copies = count(work, core::RecordKind::memcpy) + count(work, core::RecordKind::memset);
    const std::string note = kernels + copies == 0 ? "launched nothing" : remark;
    own_[iterations].events.push_back(
        {fmt::format("iteration {}{}", work.iteration, note.empty() ? "" : " (" + note + ")"),
         "step,iteration",
         work.extent,
         {{"busy_ns", work.busy_ns()}, {"kernels", kernels}, {"copies", copies}}});
  }

  void add_flush(const IterationWork& work) {
    std::map<std::uint32_t, std::pair<Interval, std::int64_t>> found;  // per device
    for (const PlacedRecord& one : work.records) {
      if (one.label != Label::Kind::preparation || !one.on_device()) continue;
      const Interval interval{one.record->start_ns, one.record->end_ns};
      auto& [extent, records] = found.try_emplace(one.record->device_id, interval, 0).first->second;
      extent = {std::min(extent.start_ns, interval.start_ns), std::max(extent.end_ns, interval.end_ns)};
      ++records;
    }
    for (const auto& [device, what] : found) {
      own_[flush].events.push_back({what.second == 1 ? "flush" : "reset and flush",
                                    "step,flush",
                                    what.first,
                                    {{"iteration", work.iteration}, {"records", what.second}}});
    }
  }

  // No record tells of the hold: the device stands still from the flush, or from the first launch where there is none,
  // until it begins what was issued behind the hold.
  void add_hold(const IterationWork& work) {
    if (!was_held(phase_, work.iteration)) return;
    std::int64_t begin = 0;
    std::int64_t first_launch = std::numeric_limits<std::int64_t>::max();
    std::int64_t end = std::numeric_limits<std::int64_t>::max();
    for (const PlacedRecord& one : work.records) {
      if (one.label == Label::Kind::preparation) {
        if (one.on_device()) begin = std::max(begin, one.record->end_ns);
      } else {
        std::int64_t& first = one.on_device() ? end : first_launch;
        first = std::min(first, one.record->start_ns);
      }
    }
    if (const core::Record* const probe = probe_of(work, Label::Kind::opening)) end = probe->start_ns;
    if (begin == 0) begin = first_launch;
    if (begin >= end || end == std::numeric_limits<std::int64_t>::max()) return;
    const bool watchdog = let_go(phase_, work.iteration);
    own_[hold].events.push_back(
        {watchdog ? "hold, let go by the watchdog" : "hold",
         "step,hold",
         {begin, end},
         {{"iteration", work.iteration}, {"released_by", std::string(watchdog ? "watchdog" : "host")}}});
  }

  void add_probe(const IterationWork& work, Label::Kind kind) {
    const core::Record* const probe = probe_of(work, kind);
    if (probe == nullptr) return;
    const bool closing = kind == Label::Kind::closing;
    TimelineEvent event{closing ? "probe after" : "probe before",
                        "step,probe",
                        {probe->start_ns, probe->end_ns},
                        {{"iteration", work.iteration}}};
    if (const auto mhz = mhz_of(phase_, work.iteration, closing)) event.args.push_back({"sm_mhz", *mhz});
    own_[probes].events.push_back(std::move(event));
  }

  void add_call(const IterationWork& work, std::uint32_t device) {
    std::vector<Interval> intervals = work.call_on(device);
    std::vector<TimelineTrack>& rows = rows_of(device);
    const core::Extent extent = core::measure_union(intervals);  // sorts
    const Interval span{intervals.front().start_ns, intervals.front().start_ns + extent.span_ns};
    rows[0].events.push_back({fmt::format("call {}", work.iteration),
                              "step,call",
                              span,
                              {{"iteration", work.iteration},
                               {"busy_ns", extent.busy_ns},
                               {"span_ns", extent.span_ns},
                               {"gap_ns", extent.gap_ns()}}});
    // The probes' times say something of their own device's work alone.
    const core::Record* const before = probe_of(work, Label::Kind::opening);
    const core::Record* const after = probe_of(work, Label::Kind::closing);
    if (before != nullptr && before->device_id == device) {
      add_gap(rows[1], "before the call", {before->end_ns, span.start_ns}, work.iteration);
    }
    std::int64_t busy_until = span.start_ns;
    for (const Interval& interval : intervals) {
      add_gap(rows[1], "gap", {busy_until, interval.start_ns}, work.iteration);
      busy_until = std::max(busy_until, interval.end_ns);
    }
    if (after != nullptr && after->device_id == device) {
      add_gap(rows[1], "tail", {span.end_ns, after->start_ns}, work.iteration);
    }
  }

  static void add_gap(TimelineTrack& row, const char* name, Interval interval, std::uint32_t iteration) {
    if (interval.start_ns >= interval.end_ns) return;
    row.events.push_back(
        {name, "step,gap", interval, {{"iteration", iteration}, {"ns", interval.end_ns - interval.start_ns}}});
  }

  std::vector<TimelineTrack>& rows_of(std::uint32_t device) {
    const int process = process_of(device);
    return devices_.try_emplace(device, std::vector<TimelineTrack>{{process, "call"}, {process, "gaps"}}).first->second;
  }

  const collect::TracePhase& phase_;
  std::array<TimelineTrack, 4> own_{
      {{kSteps, "iterations"}, {kSteps, "flush"}, {kSteps, "hold"}, {kSteps, "clock probes"}}};
  std::map<std::uint32_t, std::vector<TimelineTrack>> devices_;
};

}  // namespace

std::vector<TimelineTrack> step_tracks(const collect::TracePhase& phase, const std::vector<IterationWork>& shown,
                                       const std::vector<std::string>& remarks) {
  Steps steps(phase);
  for (const IterationWork& work : shown) {
    steps.add(work, work.iteration < remarks.size() ? remarks[work.iteration] : std::string());
  }
  return steps.take();
}

std::vector<ClockPoint> clock_points(const collect::TracePhase& phase, const std::vector<IterationWork>& shown) {
  std::vector<ClockPoint> points;
  for (const IterationWork& work : shown) {
    for (const Label::Kind kind : {Label::Kind::opening, Label::Kind::closing}) {
      const core::Record* const probe = probe_of(work, kind);
      const auto mhz = mhz_of(phase, work.iteration, kind == Label::Kind::closing);
      if (probe != nullptr && mhz) points.push_back({process_of(probe->device_id), probe->start_ns, *mhz});
    }
  }
  return points;
}

}  // namespace opgate::report
