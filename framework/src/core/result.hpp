#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/exit_code.hpp"
#include "core/imported.hpp"
#include "core/kept_figures.hpp"
#include "core/records.hpp"
#include "opgate/bench.hpp"

namespace opgate::core {

// What the GPU, driver and libraries are. Empty strings: unknown (imported rows).
struct DeviceIdentity {
  std::string name;    // "NVIDIA H200"
  std::string uuid;    // "GPU-..."
  std::string driver;  // "580.159.03"
  std::string cuda;    // runtime, "13.0"
  std::string cupti;   // "130001"
  std::int32_t index = 0;
  std::int32_t sm_count = 0;
  std::int64_t l2_bytes = 0;
  std::int64_t memory_bytes = 0;
  std::int32_t compute_capability = 0;  // 90
  std::int32_t max_sm_mhz = 0;
  std::int32_t tick_ns = 0;  // 0: unknown, the rule then takes 32

  bool operator==(const DeviceIdentity&) const = default;
};

// How the GPU was doing around a reading; absent where it could not be read.
struct DeviceState {
  std::optional<std::int32_t> sm_mhz;
  std::optional<std::int32_t> memory_mhz;
  std::optional<std::int32_t> temperature_c;
  std::optional<std::int32_t> power_mw;
  std::optional<std::uint64_t> throttle_reasons;
  std::vector<std::int32_t> other_processes;  // pids

  bool operator==(const DeviceState&) const = default;
};

// What a case is: two readings are comparable only when these agree (core/verdict.hpp says how).
struct CaseIdentity {
  std::string name;  // "<op>.<workload>.<dtype>", or an imported name as it is
  std::string op;
  std::string workload;
  std::string dtype;
  std::map<std::string, std::int64_t> dimensions;
  std::map<std::string, double> params;
  std::string generator;  // of the inputs: "philox-1 seed 0"
  std::string copies = "forbid";
  std::optional<double> flops;
  std::optional<double> bytes_read;
  std::optional<double> bytes_written;
  std::optional<double> bytes{};  // read and written in all, where an import does not tell them apart

  bool operator==(const CaseIdentity&) const = default;
};

// What one call of a kernel group launched.
struct GroupLaunches {
  std::map<std::string, int> kernels;  // mangled name -> launches, whatever their grids
  int copies = 0;                      // copies and memsets, where they are counted

  bool operator==(const GroupLaunches&) const = default;
};

// One implementation measured in one attempt. name "" is ours.
struct ImplementationResult {
  Measurement measurement;
  std::optional<Imported> imported{};        // another tool took it: its method is this one, not that of `measurement`
  std::vector<KernelInfo> kernels;           // distinct kernels of the call
  std::vector<std::string> kernel_groups;    // "2 x add_kernel + 1 x sum", indexed by Sample::group
  std::vector<GroupLaunches> launches = {};  // per kernel group; empty: unknown
  std::optional<int> iterations_asked = {};  // by the command line or the spec; absent: calibrated, or unknown
  std::optional<KeptFigures> kept = {};      // instead of samples that were pruned

  bool operator==(const ImplementationResult&) const = default;
};

enum class Status : std::uint8_t {
  measured,   // a number that may be judged
  untrusted,  // records came, no number: exit 2
  failed,     // cannot run: exit 3
  wrong,      // exit 5; measurements kept, marked void
  skipped,    // exit 77
  running,    // opened and never closed: the supervisor died
};

// One reading of one case: by one worker process, or by several whose samples were put together.
struct Attempt {
  int number = 1;                 // 1, then confirmations and repeats
  int processes = 1;              // fresh ones, whose samples are in `implementations`
  std::string purpose = "first";  // first | confirm | repeat
  Status status = Status::running;
  std::optional<ErrorKind> error;
  std::string phase;    // where it ended when it did not end well: "set-up", "check", "measure", ...
  std::string message;  // the whole error text
  std::vector<ImplementationResult> implementations;
  DeviceIdentity device;
  DeviceState before;
  DeviceState after;
  std::int64_t started_unix_ms = 0;
  std::int64_t wall_ns = 0;
  std::map<std::string, std::int64_t> phase_wall_ns;  // where the time went
  bool replayed = false;                              // figures come from a recorded trace

  bool operator==(const Attempt&) const = default;
};

[[nodiscard]] const char* to_string(Status status);
[[nodiscard]] Status parse_status(const std::string& text);  // Error(history) on anything else

}  // namespace opgate::core
