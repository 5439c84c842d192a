#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/check.hpp"

// What `opgate doctor` makes of readings that a GPU gave. All pure; readings in nanoseconds are medians unless said.
namespace opgate::core {

// Checks by name, in the order in which they are made.
[[nodiscard]] const std::vector<std::string>& probe_check_names();

// The step of the timestamps behind these durations: the largest of which all but 1 % are multiples, give or take the
// nanosecond that CUPTI's conversion costs. Steps below 4 ns cannot be told from none and read 1. Absent for fewer than
// 50 durations. The durations must vary, or the step is a multiple of the true one.
[[nodiscard]] std::optional<std::int32_t> measure_tick_ns(std::span<const std::int64_t> durations_ns);
// By the table of known models; absent for others.
[[nodiscard]] std::optional<std::int32_t> known_tick_ns(const std::string& device_name);
[[nodiscard]] Check judge_tick(const std::string& device_name, std::span<const std::int64_t> durations_ns);

struct DropCounterReading {
  int launched = 0;                                // kernels, into buffers too small for a record
  std::optional<std::uint64_t> after_loss = {};    // what the counter read then
  std::optional<std::uint64_t> without_loss = {};  // and after the same with buffers of the usual size
};
[[nodiscard]] Check judge_drop_counter(const DropCounterReading& reading);

// A call of `kernels` kernels, launched in some form and, `plain_ns`, by <<<>>>.
struct FormReading {
  std::string form;
  int kernels = 0;
  std::optional<std::int32_t> seen;  // n_kernels; absent when it varied
  double busy_ns = 0;
  double plain_ns = 0;
};
[[nodiscard]] Check judge_form(const FormReading& reading, std::int32_t tick_ns);

// A kernel that waits for one load after another, from L2 and after the flush.
struct FlushReading {
  double hot_ns = 0;
  double flushed_ns = 0;
};
[[nodiscard]] Check judge_flush_clears(const FlushReading& reading);

struct FlushRow {
  std::string kernel;
  double after_memset_ns = 0;
  double after_read_ns = 0;
  double after_both_ns = 0;  // memset, then read: no line is dirty any more
};
[[nodiscard]] Check judge_flush_clean(const std::vector<FlushRow>& rows, std::int32_t tick_ns);

// Two kernels that count cycles of the SM; means of the middle 80 %, which resolve less than a tick.
struct CyclesReading {
  std::int64_t short_cycles = 0;
  std::int64_t long_cycles = 0;
  double short_ns = 0;
  double long_ns = 0;
  std::vector<std::int32_t> sm_mhz = {};  // by the clock probe, around each call
};
[[nodiscard]] Check judge_cycles(const CyclesReading& reading, std::int32_t tick_ns);

struct ImmunityReading {
  std::string launch;  // "queued" or "direct"
  int threads = 0;     // that kept the host busy
  double quiet_ns = 0;
  double loaded_ns = 0;
};
[[nodiscard]] Check judge_host_immunity(const ImmunityReading& reading, std::int32_t tick_ns);

struct ClockState {
  std::vector<std::int32_t> probed_mhz;
  std::int32_t max_mhz = 0;  // NVML's; 0: unknown
  std::optional<std::int32_t> nvml_mhz;
  bool locked = false;  // application clocks are set
};
[[nodiscard]] Check judge_clock(const ClockState& state);

// Who NVML says computes on the GPU, before and after this process made its context.
struct ProcessReading {
  std::int32_t self = 0;
  std::optional<std::vector<std::int32_t>> before;
  std::optional<std::vector<std::int32_t>> after;
};
[[nodiscard]] Check judge_processes(const ProcessReading& reading);

// One small kernel, several ways to time it.
struct MethodsReading {
  double cupti_read_flush_ns = 0;
  double cupti_memset_flush_ns = 0;
  double event_pair_ns = 0;
  double event_loop_ns = 0;
  double graph_replay_ns = 0;
};
[[nodiscard]] Check judge_four_methods(const MethodsReading& reading);

}  // namespace opgate::core
