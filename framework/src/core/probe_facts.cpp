#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/probe_checks.hpp"
#include "core/readings.hpp"

// Checks whose outcome is a count, not a duration.
namespace opgate::core {
namespace {

constexpr std::int64_t kLongestTickNs = 2048;  // some devices' timers step by a microsecond
constexpr std::int64_t kShortestTickNs = 4;    // below, the nanosecond that conversion costs hides the step
constexpr std::size_t kFewestDurations = 50;
constexpr double kFits = 0.99;

struct KnownTick {
  std::string_view model;
  std::int32_t tick_ns;
};
// Measured on three units with driver 580 and CUPTI 13.0.
constexpr std::array kKnownTicks{KnownTick{"NVIDIA H200", 32}};

std::vector<std::int32_t> without(const std::vector<std::int32_t>& pids, std::int32_t self) {
  std::vector<std::int32_t> others = pids;
  std::erase(others, self);
  return others;
}

bool contains_all(const std::vector<std::int32_t>& pids, const std::vector<std::int32_t>& parts) {
  return std::all_of(parts.begin(), parts.end(),
                     [&](std::int32_t pid) { return std::find(pids.begin(), pids.end(), pid) != pids.end(); });
}

}  // namespace

std::optional<std::int32_t> measure_tick_ns(std::span<const std::int64_t> durations_ns) {
  std::vector<std::int64_t> durations;
  std::copy_if(durations_ns.begin(), durations_ns.end(), std::back_inserter(durations), [](auto d) { return d > 0; });
  if (durations.size() < kFewestDurations) return std::nullopt;
  for (std::int64_t tick = kLongestTickNs; tick >= kShortestTickNs; --tick) {
    const auto fitting = std::count_if(durations.begin(), durations.end(), [tick](std::int64_t duration) {
      const std::int64_t rest = duration % tick;
      return rest <= 1 || rest >= tick - 1;
    });
    // At the shortest tick three of four durations fit by chance, which is less than kFits.
    if (static_cast<double>(fitting) >= kFits * static_cast<double>(durations.size())) {
      return static_cast<std::int32_t>(tick);
    }
  }
  return 1;
}

std::optional<std::int32_t> known_tick_ns(const std::string& device_name) {
  for (const KnownTick& known : kKnownTicks) {
    if (device_name.find(known.model) != std::string::npos) return known.tick_ns;
  }
  return std::nullopt;
}

Check judge_tick(const std::string& device_name, std::span<const std::int64_t> durations_ns) {
  const std::optional<std::int32_t> tick = measure_tick_ns(durations_ns);
  if (!tick) {
    return {"tick", Health::fail,
            fmt::format("only {} kernel durations to tell the timer's step by", durations_ns.size()),
            "update the driver or the CUDA toolkit: CUPTI does not deliver the records of these kernels"};
  }
  const std::optional<std::int32_t> known = known_tick_ns(device_name);
  Check check{"tick",
              Health::ok,
              fmt::format("timestamps step by {} ns in {} kernels; {}", *tick, durations_ns.size(),
                          known ? fmt::format("{} is known for {} ns", device_name, *known)
                                : fmt::format("no step is known of {}", device_name)),
              {},
              {{"tick_ns", static_cast<double>(*tick)}, {"durations", static_cast<double>(durations_ns.size())}}};
  if (known && *known != *tick) {
    check.health = Health::fail;
    check.remedy = "update the driver or the CUDA toolkit; readings of this one cannot be compared with others";
  } else if (!known && *tick > kDefaultTickNs) {
    // The limits of a verdict are ticks of this size, and would be too narrow.
    check.health = Health::fail;
    check.detail += fmt::format(", and limits are made for steps of {} ns at most", kDefaultTickNs);
    check.remedy = "measure on a device with a finer timer, or widen the tolerances of short cases";
  }
  return check;
}

Check judge_drop_counter(const DropCounterReading& reading) {
  const auto text = [](std::optional<std::uint64_t> count) { return count ? std::to_string(*count) : "nothing"; };
  Check check{
      "drop_counter",
      Health::ok,
      fmt::format("{} kernels recorded into buffers too small for them: {} dropped; into usual ones: {} dropped",
                  reading.launched, text(reading.after_loss), text(reading.without_loss)),
      {},
      {{"launched", static_cast<double>(reading.launched)}}};
  if (reading.after_loss) check.figures.push_back({"after_loss", static_cast<double>(*reading.after_loss)});
  if (reading.without_loss) check.figures.push_back({"without_loss", static_cast<double>(*reading.without_loss)});
  if (!reading.after_loss || !reading.without_loss) {
    check.health = Health::fail;
    check.detail += ": the counter cannot be read, or counted nothing of a forced loss when tracing began";
  } else if (*reading.after_loss < static_cast<std::uint64_t>(reading.launched)) {
    check.health = Health::fail;
    check.detail += ": it does not count what is lost";
  } else if (*reading.without_loss > 0) {
    check.health = Health::fail;
    check.detail += ": it counts losses where there are none, or records are lost";
  }
  if (check.health == Health::fail) {
    check.remedy = "update the driver or the CUDA toolkit: lost records would go unnoticed";
  }
  return check;
}

Check judge_processes(const ProcessReading& reading) {
  const std::string name = "second_process";
  if (!reading.before || !reading.after) return {name, Health::unknown, "NVML does not list the GPU's processes"};
  const std::vector<std::int32_t>& before = *reading.before;
  const std::vector<std::int32_t>& after = *reading.after;
  std::vector<std::int32_t> others = without(after, reading.self);
  if (others.size() == after.size()) {
    if (after.empty()) {
      return {name, Health::unknown,
              fmt::format("NVML does not list even this process, {}, so it would not list another one", reading.self),
              "run `opgate doctor` where NVML sees processes, outside of the container"};
    }
    // In a container NVML may know this process by a number of another namespace: then it is the one that came.
    if (after.size() == before.size() + 1 && contains_all(after, before)) others = before;
  }
  if (others.empty()) return {name, Health::ok, "no other process computes on the GPU"};
  return {name,
          Health::fail,
          fmt::format("process {} computes on the GPU, too", fmt::join(others, ", ")),
          "stop those processes, or wait for them to end",
          {{"processes", static_cast<double>(others.size())}}};
}

}  // namespace opgate::core
