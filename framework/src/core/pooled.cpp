#include "core/pooled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace opgate::core {
namespace {

std::string way_of(const Measurement& m) {
  const bool held = m.launch == Launch::queued;
  return fmt::format("{}{}", held ? "queued" : "direct", m.launch_reason.empty() ? "" : " (" + m.launch_reason + ")");
}

// What makes samples of the two no samples of one thing; empty: nothing.
std::string difference(const Attempt& first, const Attempt& other) {
  if (first.device.uuid != other.device.uuid) {
    return fmt::format("it ran on GPU {}, the first one on {}", other.device.uuid, first.device.uuid);
  }
  if (first.implementations.size() != other.implementations.size()) {
    return fmt::format("it measured {} implementations, the first one {}", other.implementations.size(),
                       first.implementations.size());
  }
  for (std::size_t i = 0; i < first.implementations.size(); ++i) {
    const Measurement& a = first.implementations[i].measurement;
    const Measurement& b = other.implementations[i].measurement;
    if (a.name != b.name) {
      return fmt::format("it measured \"{}\" where the first one measured \"{}\"", b.name, a.name);
    }
    if (a.launch != b.launch) {
      return fmt::format("it launched {} {}, the first one {}", a.name.empty() ? "the op" : "\"" + a.name + "\"",
                         way_of(b), way_of(a));
    }
    if (a.device != b.device) {
      return fmt::format("it reports the call's work on device {}, the first one on device {}", b.device, a.device);
    }
    if (a.protocol != b.protocol || a.timing != b.timing || a.flush != b.flush || a.pacing != b.pacing) {
      return "it measured by another protocol, timing, flush or pacing than the first one";
    }
  }
  return {};
}

// Where the group of that name is in `into`, which gets what it lacks.
std::uint32_t group_in(ImplementationResult& into, const ImplementationResult& from, std::uint32_t group) {
  if (group >= from.kernel_groups.size()) {
    return group;
  }
  const std::string& name = from.kernel_groups[group];
  const auto known = std::find(into.kernel_groups.begin(), into.kernel_groups.end(), name);
  const auto index = static_cast<std::uint32_t>(known - into.kernel_groups.begin());
  if (known == into.kernel_groups.end()) {
    // Launches are of the group in their place, so that none may follow where one is unknown.
    if (into.launches.size() == into.kernel_groups.size() && group < from.launches.size()) {
      into.launches.push_back(from.launches[group]);
    }
    into.kernel_groups.push_back(name);
  }
  return index;
}

void add(ImplementationResult& into, const ImplementationResult& from) {
  Measurement& m = into.measurement;
  for (Sample sample : from.measurement.samples) {
    sample.group = group_in(into, from, sample.group);
    m.samples.push_back(sample);
  }
  for (const KernelInfo& kernel : from.kernels) {
    if (std::find(into.kernels.begin(), into.kernels.end(), kernel) == into.kernels.end()) {
      into.kernels.push_back(kernel);
    }
  }
  m.warmup_iterations += from.measurement.warmup_iterations;
  m.retries += from.measurement.retries;
  m.pass_medians_ns.insert(m.pass_medians_ns.end(), from.measurement.pass_medians_ns.begin(),
                           from.measurement.pass_medians_ns.end());
}

// What was true before any process, and what after them all: the GPU's other users and throttling of either end.
void add(DeviceState& into, const DeviceState& from) {
  for (const std::int32_t pid : from.other_processes) {
    if (std::find(into.other_processes.begin(), into.other_processes.end(), pid) == into.other_processes.end()) {
      into.other_processes.push_back(pid);
    }
  }
  if (from.throttle_reasons) {
    into.throttle_reasons = into.throttle_reasons.value_or(0) | *from.throttle_reasons;
  }
}

// From the start of the first to the end of the last, whatever lies between two.
void add_time(Attempt& into, const Attempt& from) {
  constexpr std::int64_t kNsPerMs = 1'000'000;
  into.wall_ns =
      std::max(into.wall_ns + from.wall_ns, (from.started_unix_ms - into.started_unix_ms) * kNsPerMs + from.wall_ns);
  for (const auto& [phase, wall_ns] : from.phase_wall_ns) {
    into.phase_wall_ns[phase] += wall_ns;
  }
}

void add(Attempt& into, const Attempt& from) {
  for (std::size_t i = 0; i < into.implementations.size(); ++i) {
    add(into.implementations[i], from.implementations[i]);
  }
  add(into.before, from.before);
  const DeviceState earlier = into.after;
  into.after = from.after;
  add(into.after, earlier);
  add_time(into, from);
}

// What a process ended with is all that is left of the reading, but for the time that those before it took.
Attempt ended_by(Attempt ended, std::size_t process, Attempt before) {
  add_time(before, ended);
  ended.started_unix_ms = before.started_unix_ms;
  ended.wall_ns = before.wall_ns;
  ended.phase_wall_ns = before.phase_wall_ns;
  ended.message = fmt::format("fresh process {} of the reading: {}", process, ended.message);
  return ended;
}

}  // namespace

Attempt pooled(const std::vector<Attempt>& processes) {
  Attempt whole = processes.front();
  whole.processes = static_cast<int>(processes.size());
  for (std::size_t i = 0; i < processes.size(); ++i) {
    if (processes[i].status != Status::measured) {
      return i == 0 ? processes[i] : ended_by(processes[i], i + 1, std::move(whole));
    }
    if (i == 0) {
      continue;
    }
    if (const std::string why = difference(processes.front(), processes[i]); !why.empty()) {
      whole.status = Status::untrusted;
      whole.error = ErrorKind::unproven;
      whole.phase = "pool";
      whole.message = fmt::format(
          "fresh process {} of the reading cannot be put together with the first: {}\n  fix: ask for one way with "
          "--launch, or for one process with \"processes\": 1 in the spec",
          i + 1, why);
      add_time(whole, processes[i]);
      return whole;
    }
    add(whole, processes[i]);
  }
  return whole;
}

}  // namespace opgate::core
