#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace opgate::core {

enum class RecordKind : std::uint8_t { kernel, memcpy, memset, api, external };

// One activity record as CUPTI delivered it. Fields a kind does not have are 0.
struct Record {
  RecordKind kind = RecordKind::kernel;
  std::int64_t start_ns = 0;  // kernel, memcpy, memset: device clock; api: host clock
  std::int64_t end_ns = 0;
  std::uint32_t correlation_id = 0;  // 0: none
  std::uint32_t device_id = 0;
  std::uint32_t context_id = 0;
  std::uint32_t stream_id = 0;
  std::uint32_t thread_id = 0;      // api: the launching thread
  std::uint32_t name = 0;           // api: index into names; kernel: index into kernels
  std::uint32_t external_kind = 0;  // external
  std::uint64_t external_id = 0;    // external
  std::uint64_t bytes = 0;          // memcpy, memset
  std::uint32_t copy_kind = 0;      // memcpy: CUpti_ActivityMemcpyKind

  bool operator==(const Record&) const = default;
};

// What was launched: one entry per distinct kernel and launch shape.
struct KernelInfo {
  std::string name;  // mangled, as delivered
  std::array<std::int32_t, 3> grid{};
  std::array<std::int32_t, 3> block{};
  std::int32_t registers = 0;
  std::int32_t static_shared_bytes = 0;
  std::int32_t dynamic_shared_bytes = 0;

  bool operator==(const KernelInfo&) const = default;
};

// One probe of the SM clock: cycles counted by an SM between two edges of the device's global timer.
struct ClockReading {
  std::int64_t cycles = 0;
  std::int64_t time_ns = 0;

  bool operator==(const ClockReading&) const = default;
};

// What the driving side of a phase saw, which no activity record tells.
struct StageFacts {
  std::string hold_refusal;           // why the device could not be held; "" when it could, or was not to be
  std::vector<std::uint32_t> let_go;  // iterations whose hold the watchdog released
  std::vector<ClockReading> clocks;   // per iteration the probe before and the probe after the call

  bool operator==(const StageFacts&) const = default;
};

// When the host asked whether the device is idle, after the last launch of a call and where the call waits for it, and
// when it was. On the clock of the records of API calls.
struct Drain {
  std::int64_t begun_ns = 0;
  std::int64_t ended_ns = 0;

  bool operator==(const Drain&) const = default;
};

using RecordBuffer = std::vector<Record>;

// Everything one phase delivered: buffers in the order of their completion, and what was dropped.
struct PhaseRecords {
  std::vector<RecordBuffer> buffers;
  std::vector<std::string> names;
  std::vector<KernelInfo> kernels;
  std::optional<std::uint64_t> dropped;  // absent: the counter could not be read or was never proven live
  StageFacts stage;
  std::vector<std::optional<Drain>>
      drains;  // per iteration of a phase that was to be drained; else, or if none could: empty

  bool operator==(const PhaseRecords&) const = default;
};

}  // namespace opgate::core
