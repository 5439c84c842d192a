#include "report/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "collect/trace_words.hpp"
#include "core/kernel_name.hpp"
#include "report/timeline_lanes.hpp"
#include "report/timeline_records.hpp"
#include "report/timeline_steps.hpp"

namespace opgate::report {
namespace {

using core::Label;
using core::Record;
using core::RecordKind;

constexpr std::size_t kLongestKernelName = 240;

std::string cut(std::string name) {
  if (name.size() > kLongestKernelName) name = name.substr(0, kLongestKernelName - 3) + "...";
  return name;
}

std::string extent_text(const std::array<std::int32_t, 3>& extent) {
  return fmt::format("{}x{}x{}", extent[0], extent[1], extent[2]);
}

const char* owner_of(Label::Kind kind) {
  switch (kind) {
    case Label::Kind::iteration:
      return "call";
    case Label::Kind::preparation:
      return "flush";
    case Label::Kind::opening:
    case Label::Kind::closing:
      return "probe";
    default:
      return "unlabelled";
  }
}

// CUpti_ActivityMemcpyKind
const char* copy_name(std::uint32_t kind) {
  constexpr std::array<const char*, 11> kNames{"copy",
                                               "copy to device",
                                               "copy to host",
                                               "copy to array",
                                               "copy from array",
                                               "copy in array",
                                               "copy from array",
                                               "copy to array",
                                               "copy on device",
                                               "copy on host",
                                               "copy between devices"};
  return kNames[kind < kNames.size() ? kind : 0];
}

TimelineEvent event_of(const PlacedRecord& placed, const core::PhaseRecords& records) {
  const Record& record = *placed.record;
  TimelineEvent event;
  event.interval = {record.start_ns, record.end_ns};
  event.correlation_id = record.correlation_id;
  const std::string owner = std::string(",") + owner_of(placed.label);
  if (placed.iteration) event.args.push_back({"iteration", *placed.iteration});
  event.args.push_back({"correlation", record.correlation_id});
  if (record.kind == RecordKind::api) {
    event.name = record.name < records.names.size() ? records.names[record.name] : "an unknown call";
    event.category = "api" + owner;
    return event;
  }
  event.args.push_back({"stream", record.stream_id});
  event.args.push_back({"context", record.context_id});
  if (record.kind != RecordKind::kernel) {
    const bool copy = record.kind == RecordKind::memcpy;
    event.name = copy ? copy_name(record.copy_kind) : "memset";
    event.category = (copy ? "memcpy" : "memset") + owner;
    event.args.push_back({"bytes", fmt::format("{}", record.bytes)});
    return event;
  }
  event.category = "kernel" + owner;
  event.name = "a kernel without a name";
  if (record.name < records.kernels.size()) {
    const core::KernelInfo& kernel = records.kernels[record.name];
    event.name = cut(core::short_kernel_name(kernel.name));
    event.args.push_back({"kernel", cut(core::demangle(kernel.name))});
    event.args.push_back({"grid", extent_text(kernel.grid)});
    event.args.push_back({"block", extent_text(kernel.block)});
    event.args.push_back({"registers", std::int64_t{kernel.registers}});
    event.args.push_back({"static_shared_bytes", std::int64_t{kernel.static_shared_bytes}});
    event.args.push_back({"dynamic_shared_bytes", std::int64_t{kernel.dynamic_shared_bytes}});
  }
  return event;
}

// Streams of devices and threads of the host.
std::vector<TimelineTrack> record_tracks(const std::vector<PlacedRecord>& placed, const core::PhaseRecords& records) {
  std::map<std::pair<int, std::uint32_t>, TimelineTrack> tracks;
  for (const PlacedRecord& one : placed) {
    const Record& record = *one.record;
    const int process = one.on_device() ? process_of(record.device_id) : kHost;
    const std::uint32_t row = one.on_device() ? record.stream_id : record.thread_id;
    const auto [place, added] = tracks.try_emplace({process, row});
    TimelineTrack& track = place->second;
    if (added) {
      track.process = process;
      track.name = fmt::format("{} {}", one.on_device() ? "stream" : "thread", row);
      track.nests = !one.on_device();
    }
    track.events.push_back(event_of(one, records));
  }
  std::vector<TimelineTrack> sorted;
  sorted.reserve(tracks.size());
  for (auto& [key, track] : tracks) sorted.push_back(std::move(track));
  return sorted;
}

std::optional<std::size_t> place_of(const std::vector<IterationWork>& work, Pick pick) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < work.size(); ++i) {
    if (!work[i].call_devices().empty()) order.push_back(i);
  }
  if (order.empty()) return std::nullopt;
  std::vector<std::int64_t> busy_ns;
  busy_ns.reserve(work.size());
  for (const IterationWork& one : work) busy_ns.push_back(one.busy_ns());
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return busy_ns[a] < busy_ns[b]; });
  const std::size_t rank = pick == Pick::median ? (order.size() - 1) / 2 : pick == Pick::slowest ? order.size() - 1 : 0;
  return *std::find_if(order.begin(), order.end(), [&](std::size_t i) { return busy_ns[i] == busy_ns[order[rank]]; });
}

// The iterations around `middle` that together hold no more than `most` records; `middle` at least.
std::pair<std::size_t, std::size_t> window(const std::vector<IterationWork>& work, std::size_t middle,
                                           std::size_t most) {
  std::size_t first = middle;
  std::size_t last = middle;
  std::size_t records = work[middle].records.size();
  for (bool grew = true; grew;) {
    grew = false;
    if (first > 0 && records + work[first - 1].records.size() <= most) {
      records += work[--first].records.size();
      grew = true;
    }
    if (last + 1 < work.size() && records + work[last + 1].records.size() <= most) {
      records += work[++last].records.size();
      grew = true;
    }
  }
  return {first, last};
}

// Names the iterations that an engineer looks for first.
std::vector<std::string> remarks_of(const std::vector<IterationWork>& work) {
  std::vector<std::string> remarks;
  const auto remark = [&](Pick pick, const char* name) {
    const auto place = place_of(work, pick);
    if (!place) return;
    const std::uint32_t iteration = work[*place].iteration;
    if (remarks.size() <= iteration) remarks.resize(iteration + 1);
    remarks[iteration] += (remarks[iteration].empty() ? "" : ", ") + std::string(name);
  };
  remark(Pick::fastest, "fastest");
  remark(Pick::median, "median");
  remark(Pick::slowest, "slowest");
  return remarks;
}

struct Shown {
  std::vector<PlacedRecord> records;
  std::vector<IterationWork> iterations;
};

// Of what no iteration claims, all that ran meanwhile.
Shown shown_of(const PlacedRecords& placed, std::vector<IterationWork> work, std::size_t first, std::size_t last,
               bool all) {
  Shown shown;
  shown.iterations.assign(std::make_move_iterator(work.begin() + static_cast<std::ptrdiff_t>(first)),
                          std::make_move_iterator(work.begin() + static_cast<std::ptrdiff_t>(last) + 1));
  core::Interval extent = shown.iterations.front().extent;
  for (const IterationWork& one : shown.iterations) {
    extent = {std::min(extent.start_ns, one.extent.start_ns), std::max(extent.end_ns, one.extent.end_ns)};
  }
  const std::uint32_t lowest = shown.iterations.front().iteration;
  const std::uint32_t highest = shown.iterations.back().iteration;
  for (const PlacedRecord& one : placed.all) {
    const bool inside = one.record->start_ns <= extent.end_ns && one.record->end_ns >= extent.start_ns;
    if (one.iteration ? *one.iteration >= lowest && *one.iteration <= highest : all || inside) {
      shown.records.push_back(one);
    }
  }
  return shown;
}

Shown choose(const PlacedRecords& placed, const collect::TracePhase& phase, const TimelineRequest& request) {
  std::vector<IterationWork> work = by_iteration(placed);
  if (request.iteration) {
    const auto wanted = std::find_if(work.begin(), work.end(),
                                     [&](const IterationWork& one) { return one.iteration == *request.iteration; });
    if (wanted == work.end()) {
      throw Error(ErrorKind::usage, fmt::format("iteration {} has no record to show", *request.iteration),
                  phase_words(phase), fmt::format("name one of the iterations 0 to {}", phase.plan.iterations - 1));
    }
    const auto place = static_cast<std::size_t>(wanted - work.begin());
    return shown_of(placed, std::move(work), place, place, false);
  }
  if (work.empty()) return {placed.all, {}};
  if (placed.all.size() <= request.most_records) {
    const std::size_t last = work.size() - 1;
    return shown_of(placed, std::move(work), 0, last, true);
  }
  const auto [first, last] = window(work, place_of(work, Pick::median).value_or(0), request.most_records);
  return shown_of(placed, std::move(work), first, last, false);
}

std::string iterations_text(const Shown& shown) {
  if (shown.iterations.empty()) return "none";
  const std::uint32_t first = shown.iterations.front().iteration;
  const std::uint32_t last = shown.iterations.back().iteration;
  return first == last ? fmt::format("{}", first) : fmt::format("{} to {}", first, last);
}

void add_facts(Timeline& timeline, const collect::Trace& trace, const collect::TracePhase& phase, const Shown& shown,
               std::int64_t without_times) {
  timeline.facts = {
      {"case", trace.identity.name},
      {"device", trace.device.name},
      {"device_uuid", trace.device.uuid},
      {"driver", trace.device.driver},
      {"cuda", trace.device.cuda},
      {"protocol", std::string(collect::word_of(collect::kProtocols, trace.protocol))},
      {"phase", phase_words(phase)},
      {"iterations_shown", iterations_text(shown)},
      {"iterations_of_phase", fmt::format("{}", phase.plan.iterations)},
      {"records_without_times", fmt::format("{}", without_times)},
      {"records_dropped", phase.records.dropped ? fmt::format("{}", *phase.records.dropped) : std::string("unknown")},
      {"origin_ns", fmt::format("{}", timeline.origin_ns)}};
}

std::int64_t origin_of(const std::vector<TimelineTrack>& tracks) {
  std::int64_t origin = std::numeric_limits<std::int64_t>::max();
  for (const TimelineTrack& track : tracks) {
    if (!track.events.empty()) origin = std::min(origin, track.events.front().interval.start_ns);
  }
  return tracks.empty() ? 0 : origin;
}

}  // namespace

Timeline timeline_of(const collect::Trace& trace, const TimelineRequest& request) {
  const collect::TracePhase& phase = trace.phases.at(request.phase);
  const PlacedRecords placed = place_records(phase, trace.external_kind);
  const Shown shown = choose(placed, phase, request);
  Timeline timeline;
  for (std::vector<TimelineTrack> tracks : {step_tracks(phase, shown.iterations, remarks_of(by_iteration(placed))),
                                            record_tracks(shown.records, phase.records)}) {
    for (TimelineTrack& track : tracks) {
      for (TimelineTrack& lane : into_lanes(std::move(track))) timeline.tracks.push_back(std::move(lane));
    }
  }
  std::stable_sort(timeline.tracks.begin(), timeline.tracks.end(),
                   [](const TimelineTrack& a, const TimelineTrack& b) { return a.process < b.process; });
  for (const TimelineTrack& track : timeline.tracks) {
    const int device = track.process - kFirstDevice;
    timeline.processes[track.process] = track.process == kSteps ? "opgate: " + trace.identity.name
                                        : track.process == kHost
                                            ? "host: CUDA calls"
                                            : fmt::format("GPU {} ({})", device, trace.device.name);
  }
  timeline.clock = clock_points(phase, shown.iterations);
  timeline.origin_ns = origin_of(timeline.tracks);
  add_facts(timeline, trace, phase, shown, placed.without_times);
  return timeline;
}

std::optional<std::uint32_t> pick_iteration(const collect::Trace& trace, std::size_t phase, Pick pick) {
  const std::vector<IterationWork> work = by_iteration(place_records(trace.phases.at(phase), trace.external_kind));
  const auto place = place_of(work, pick);
  return place ? std::optional(work[*place].iteration) : std::nullopt;
}

std::string phase_words(const collect::TracePhase& phase) {
  const collect::PhasePlan& plan = phase.plan;
  return fmt::format("{} of {}, pass {}{}, {} iterations, {}", collect::word_of(collect::kPhaseKinds, plan.kind),
                     plan.implementation.empty() ? "this op" : plan.implementation, plan.pass + 1,
                     plan.attempt > 1 ? fmt::format(", attempt {}", plan.attempt) : "", plan.iterations,
                     plan.held ? "queued" : (plan.drained ? "direct and drained" : "direct"));
}

std::optional<std::size_t> deciding_phase(const collect::Trace& trace, bool refused) {
  if (trace.phases.empty()) return std::nullopt;
  if (!refused) {
    for (std::size_t i = 0; i < trace.phases.size(); ++i) {
      const collect::TracePhase& phase = trace.phases[i];
      if (phase.plan.kind == collect::PhaseKind::measure && phase.plan.implementation.empty() &&
          phase.records.dropped == 0U) {
        return i;
      }
    }
  }
  return trace.phases.size() - 1;
}

}  // namespace opgate::report
