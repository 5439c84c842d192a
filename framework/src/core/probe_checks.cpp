#include "core/probe_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/statistics.hpp"

namespace opgate::core {
namespace {

constexpr double kMicrosecondNs = 1e3;
// A launch form reads the same as <<<>>> within this, or a tick.
constexpr double kFormTolerance = 0.01;
// A load that misses L2 takes more than twice as long as one that hits; less than this, and most of them hit.
constexpr double kColdFactor = 1.4;
// A memset flush costs a copy of 16 MiB 20 % (measured on an H200); a clean flush must stay well below.
constexpr double kDirtTolerance = 0.02;
constexpr double kDirtTicks = 2;
constexpr double kDirtSeen = 0.05;
constexpr double kImmunityTolerance = 0.002;
// A light load runs at the highest clock unless something holds it back.
constexpr double kFullClock = 0.97;
constexpr double kImpossibleClock = 1.01;

double us(double time_ns) {
  return time_ns / kMicrosecondNs;
}

double percent(double value, double of) {
  return 100 * (value / of - 1);
}

bool readable(double time_ns) {
  return std::isfinite(time_ns) && time_ns > 0;
}

Check unread(const std::string& name) {
  return {name, Health::fail, "a reading of zero or less",
          "run `opgate doctor` again, and update the driver if it agrees"};
}

}  // namespace

const std::vector<std::string>& probe_check_names() {
  static const std::vector<std::string> names{"cuda",
                                              "second_process",
                                              "four_methods",
                                              "drop_counter",
                                              "tick",
                                              "form.plain",
                                              "form.cluster",
                                              "form.cooperative",
                                              "form.driver",
                                              "form.graph",
                                              "form.two_streams",
                                              "form.programmatic",
                                              "form.per_thread_stream",
                                              "flush.clears",
                                              "flush.clean",
                                              "cycles",
                                              "clock",
                                              "throttle",
                                              "host_immunity"};
  return names;
}

Check judge_form(const FormReading& reading, std::int32_t tick_ns) {
  const std::string name = "form." + reading.form;
  if (!readable(reading.busy_ns) || !readable(reading.plain_ns)) return unread(name);
  const double limit_ns = std::max(static_cast<double>(tick_ns), kFormTolerance * reading.plain_ns);
  const double off_ns = reading.busy_ns - reading.plain_ns;
  Check check{
      name, Health::ok, {}, {}, {{"busy_ns", reading.busy_ns}, {"plain_ns", reading.plain_ns}, {"limit_ns", limit_ns}}};
  if (reading.seen) check.figures.push_back({"kernels", static_cast<double>(*reading.seen)});
  check.detail = fmt::format("{} of {} kernels, busy {:.3f} us, {:+.3f} us against <<<>>> (limit {:.3f})",
                             reading.seen ? std::to_string(*reading.seen) : "a varying number", reading.kernels,
                             us(reading.busy_ns), us(off_ns), us(limit_ns));
  if (reading.seen != reading.kernels || std::abs(off_ns) > limit_ns) {
    check.health = Health::fail;
    check.remedy = "update the driver or the CUDA toolkit: CUPTI does not see this way to launch as it is";
  }
  return check;
}

Check judge_flush_clears(const FlushReading& reading) {
  const std::string name = "flush.clears";
  if (!readable(reading.hot_ns) || !readable(reading.flushed_ns)) return unread(name);
  const double factor = reading.flushed_ns / reading.hot_ns;
  Check check{
      name,
      factor >= kColdFactor ? Health::ok : Health::fail,
      fmt::format("loads from L2 take {:.3f} us, after the flush {:.3f} us: {:.2f} times as long (at least {:.2f})",
                  us(reading.hot_ns), us(reading.flushed_ns), factor, kColdFactor),
      {},
      {{"hot_ns", reading.hot_ns}, {"flushed_ns", reading.flushed_ns}, {"factor", factor}}};
  if (check.health == Health::fail) {
    check.remedy = "do not trust readings of this device: its L2 keeps the data of the call before";
  }
  return check;
}

Check judge_flush_clean(const std::vector<FlushRow>& rows, std::int32_t tick_ns) {
  Check check{"flush.clean", Health::ok, {}};
  std::vector<std::string> dirty;
  double most_memset = 0;
  check.rows.push_back(fmt::format("{:<18} {:>12} {:>12} {:>14}", "kernel", "memset", "read", "memset + read"));
  for (const FlushRow& row : rows) {
    if (!readable(row.after_memset_ns) || !readable(row.after_read_ns) || !readable(row.after_both_ns)) {
      return unread(check.name);
    }
    const double limit_ns = std::max(kDirtTicks * tick_ns, kDirtTolerance * row.after_both_ns);
    if (row.after_read_ns - row.after_both_ns > limit_ns) {
      dirty.push_back(fmt::format("{} by {:.3f} us (limit {:.3f})", row.kernel,
                                  us(row.after_read_ns - row.after_both_ns), us(limit_ns)));
    }
    most_memset = std::max(most_memset, row.after_memset_ns / row.after_both_ns - 1);
    check.rows.push_back(fmt::format("{:<18} {:9.3f} us {:9.3f} us {:11.3f} us", row.kernel, us(row.after_memset_ns),
                                     us(row.after_read_ns), us(row.after_both_ns)));
    check.figures.push_back({row.kernel + ".memset_ns", row.after_memset_ns});
    check.figures.push_back({row.kernel + ".read_ns", row.after_read_ns});
    check.figures.push_back({row.kernel + ".memset_read_ns", row.after_both_ns});
  }
  if (rows.empty()) {
    check.health = Health::unknown;
    check.detail = "nothing was measured";
  } else if (!dirty.empty()) {
    check.health = Health::fail;
    check.detail =
        fmt::format("the flush leaves dirty lines, for which the op pays: slower than after memset and read: {}",
                    fmt::join(dirty, ", "));
    check.remedy = "do not trust readings of this device, and measure with another flush";
  } else if (most_memset < kDirtSeen) {
    check.health = Health::unknown;
    check.detail =
        fmt::format("dirty lines cost {:.1f} % here, too little to tell a clean flush by (at least {:.0f} %)",
                    100 * most_memset, 100 * kDirtSeen);
  } else {
    check.detail = fmt::format("no dirty line left; those of a memset cost up to {:.1f} %", 100 * most_memset);
  }
  return check;
}

Check judge_cycles(const CyclesReading& reading, std::int32_t tick_ns) {
  const std::string name = "cycles";
  if (reading.sm_mhz.empty()) return {name, Health::fail, "the clock probe gave no clock", "update the driver"};
  std::vector<double> clocks(reading.sm_mhz.begin(), reading.sm_mhz.end());
  const double mhz = median(std::move(clocks));
  if (!readable(reading.short_ns) || !readable(reading.long_ns) || !readable(mhz)) return unread(name);
  const double expected_ns = static_cast<double>(reading.long_cycles - reading.short_cycles) * kMicrosecondNs / mhz;
  const double read_ns = reading.long_ns - reading.short_ns;
  const double overhead_ns = reading.short_ns - static_cast<double>(reading.short_cycles) * kMicrosecondNs / mhz;
  Check check{
      name,
      std::abs(read_ns - expected_ns) <= tick_ns ? Health::ok : Health::fail,
      fmt::format("{} cycles more at {:.0f} MHz are {:.3f} us and read {:.3f} us, {:+.0f} ns (limit {}); a record "
                  "carries {:.3f} us of launch and drain",
                  reading.long_cycles - reading.short_cycles, mhz, us(expected_ns), us(read_ns), read_ns - expected_ns,
                  tick_ns, us(overhead_ns)),
      {},
      {{"expected_ns", expected_ns},
       {"read_ns", read_ns},
       {"limit_ns", static_cast<double>(tick_ns)},
       {"overhead_ns", overhead_ns},
       {"sm_mhz", mhz}}};
  if (check.health == Health::fail) {
    check.remedy = "let nothing else use the GPU or change its clocks, and run `opgate doctor` again";
  }
  return check;
}

Check judge_host_immunity(const ImmunityReading& reading, std::int32_t tick_ns) {
  const std::string name = "host_immunity";
  if (!readable(reading.quiet_ns) || !readable(reading.loaded_ns)) return unread(name);
  const double limit_ns = std::max(static_cast<double>(tick_ns), kImmunityTolerance * reading.quiet_ns);
  const double moved_ns = reading.loaded_ns - reading.quiet_ns;
  Check check{name,
              std::abs(moved_ns) <= limit_ns ? Health::ok : Health::fail,
              fmt::format("3 kernels, {}: busy {:.3f} us, with {} busy threads {:.3f} us, {:+.2f} % (limit {:.3f} us)",
                          reading.launch, us(reading.quiet_ns), reading.threads, us(reading.loaded_ns),
                          percent(reading.loaded_ns, reading.quiet_ns), us(limit_ns)),
              {},
              {{"quiet_ns", reading.quiet_ns}, {"loaded_ns", reading.loaded_ns}, {"limit_ns", limit_ns}}};
  if (check.health == Health::fail) check.remedy = "keep other programs off the CPU while cases measure";
  return check;
}

Check judge_clock(const ClockState& state) {
  const std::string name = "clock";
  if (state.probed_mhz.empty()) return {name, Health::fail, "the clock probe gave no clock", "update the driver"};
  std::vector<double> clocks(state.probed_mhz.begin(), state.probed_mhz.end());
  const double mhz = median(std::move(clocks));
  const auto [lowest, highest] = std::minmax_element(state.probed_mhz.begin(), state.probed_mhz.end());
  Check check{name,
              Health::ok,
              fmt::format("the probe reads {:.0f} MHz ({} to {}), NVML {}, highest {}", mhz, *lowest, *highest,
                          state.nvml_mhz ? fmt::format("{} MHz", *state.nvml_mhz) : "nothing",
                          state.max_mhz > 0 ? fmt::format("{} MHz", state.max_mhz) : "unknown"),
              {},
              {{"probed_mhz", mhz}, {"max_mhz", static_cast<double>(state.max_mhz)}}};
  if (state.max_mhz <= 0) {
    check.health = Health::unknown;
  } else if (mhz > kImpossibleClock * state.max_mhz) {
    check.health = Health::fail;
    check.detail += ": above what the device can do";
    check.remedy = "update the driver: the device's timer or its cycle counter is wrong";
  } else if (mhz < kFullClock * state.max_mhz) {
    check.health = state.locked ? Health::note : Health::fail;
    check.detail +=
        fmt::format(": {} under a light load", state.locked ? "application clocks hold it" : "something holds it back");
    check.remedy = state.locked ? "compare with baselines of the same application clocks only"
                                : "look at power, cooling and locked clocks with `nvidia-smi -q -d CLOCK,PERFORMANCE`";
  }
  return check;
}

Check judge_four_methods(const MethodsReading& reading) {
  const std::string name = "four_methods";
  for (const double time_ns : {reading.cupti_read_flush_ns, reading.cupti_memset_flush_ns, reading.event_pair_ns,
                               reading.event_loop_ns, reading.graph_replay_ns}) {
    if (!readable(time_ns)) return unread(name);
  }
  Check check{name,
              Health::ok,
              fmt::format("a kernel of 262,144 floats reads {:.3f} us by its records, {:.3f} us between two events",
                          us(reading.cupti_read_flush_ns), us(reading.event_pair_ns)),
              {},
              {{"cupti_read_flush_ns", reading.cupti_read_flush_ns},
               {"cupti_memset_flush_ns", reading.cupti_memset_flush_ns},
               {"event_pair_ns", reading.event_pair_ns},
               {"event_loop_ns", reading.event_loop_ns},
               {"graph_replay_ns", reading.graph_replay_ns}}};
  const auto row = [&](const char* method, double ns) {
    check.rows.push_back(fmt::format("{:<42} {:6.3f} us", method, us(ns)));
  };
  row("CUPTI kernel records, memset flush", reading.cupti_memset_flush_ns);
  row("CUPTI kernel records, read flush", reading.cupti_read_flush_ns);
  row("a pair of CUDA events per iteration", reading.event_pair_ns);
  row("one pair of events around the loop / N", reading.event_loop_ns);
  row("CUDA graph replay / N", reading.graph_replay_ns);
  // What the events enclose holds the kernel; both cleared L2 by memset.
  if (reading.event_pair_ns < reading.cupti_memset_flush_ns) {
    check.health = Health::fail;
    check.detail += ": less than the kernel between them, after the same flush";
    check.remedy = "update the driver or the CUDA toolkit: its kernel records and its events disagree";
  }
  return check;
}

}  // namespace opgate::core
