#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "collect/trace.hpp"
#include "collect/trace_words.hpp"
#include "opgate/error.hpp"
#include "text/file.hpp"

namespace opgate::collect {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void unwritable(const std::string& what) {
  throw Error(ErrorKind::trace, what, "writing a trace");
}

double finite(double value, const char* name) {
  if (!std::isfinite(value)) unwritable(fmt::format("{} is not a finite number", name));
  return value;
}

Json optional_number(const std::optional<double>& value, const char* name) {
  return value ? Json(finite(*value, name)) : Json(nullptr);
}

Json identity_json(const core::CaseIdentity& identity) {
  for (const auto& [name, value] : identity.params) finite(value, name.c_str());
  return {{"name", identity.name},
          {"op", identity.op},
          {"workload", identity.workload},
          {"dtype", identity.dtype},
          {"dimensions", Json(identity.dimensions)},
          {"params", Json(identity.params)},
          {"generator", identity.generator},
          {"copies", identity.copies},
          {"flops", optional_number(identity.flops, "flops")},
          {"bytes_read", optional_number(identity.bytes_read, "bytes_read")},
          {"bytes_written", optional_number(identity.bytes_written, "bytes_written")}};
}

Json device_json(const core::DeviceIdentity& device) {
  return {{"name", device.name},
          {"uuid", device.uuid},
          {"driver", device.driver},
          {"cuda", device.cuda},
          {"cupti", device.cupti},
          {"index", device.index},
          {"sm_count", device.sm_count},
          {"l2_bytes", device.l2_bytes},
          {"memory_bytes", device.memory_bytes},
          {"compute_capability", device.compute_capability},
          {"max_sm_mhz", device.max_sm_mhz},
          {"tick_ns", device.tick_ns}};
}

Json header_json(const Trace& trace) {
  Json calibrations = Json::array();
  for (const double value : trace.calibrations_ns) calibrations.push_back(finite(value, "a calibration"));
  return {{"format", kTraceFormat},
          {"version", kTraceVersion},
          {"case", identity_json(trace.identity)},
          {"device", device_json(trace.device)},
          {"implementations", trace.implementations},
          {"protocol", word_of(kProtocols, trace.protocol)},
          {"timing", word_of(kTimings, trace.timing)},
          {"flush", word_of(kFlushes, trace.flush)},
          {"launch", trace.launch ? Json(word_of(kLaunches, *trace.launch)) : Json(nullptr)},
          {"pacing", finite(trace.pacing, "the pacing")},
          {"probe_clock", trace.probe_clock},
          {"recorded_unix_ms", trace.recorded_unix_ms},
          {"external_kind", trace.external_kind},
          {"calibrations_ns", calibrations},
          {"phases", trace.phases.size()}};
}

// Times are written from the phase's first non-zero one, which keeps a trace small; a time of 0 ("lost") stays
// recognisable because the origin is subtracted from it like from any other.
std::int64_t origin_of(const core::PhaseRecords& records) {
  std::int64_t origin = std::numeric_limits<std::int64_t>::max();
  for (const core::RecordBuffer& buffer : records.buffers) {
    for (const core::Record& record : buffer) {
      if (record.start_ns > 0 && record.start_ns < origin) origin = record.start_ns;
    }
  }
  return origin == std::numeric_limits<std::int64_t>::max() ? 0 : origin;
}

// Wraps around, so that every pair of times is written and read back exactly.
std::int64_t from_origin(std::int64_t time, std::int64_t origin) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(origin));
}

Json clocks_json(const std::vector<core::ClockReading>& clocks) {
  Json json = Json::array();
  for (const core::ClockReading& clock : clocks) json.push_back({clock.cycles, clock.time_ns});
  return json;
}

Json drains_json(const std::vector<std::optional<core::Drain>>& drains, std::int64_t origin) {
  Json json = Json::array();
  for (const std::optional<core::Drain>& drain : drains) {
    json.push_back(drain ? Json({from_origin(drain->begun_ns, origin), from_origin(drain->ended_ns, origin)})
                         : Json(nullptr));
  }
  return json;
}

Json phase_json(const TracePhase& phase, std::int64_t origin) {
  const PhasePlan& plan = phase.plan;
  const core::PhaseRecords& records = phase.records;
  return {{"phase", word_of(kPhaseKinds, plan.kind)},
          {"implementation", plan.implementation},
          {"pass", plan.pass},
          {"attempt", plan.attempt},
          {"iterations", plan.iterations},
          {"buffer_bytes", plan.buffer_bytes},
          {"held", plan.held},
          {"every_api", plan.every_api},
          {"hold_refusal", records.stage.hold_refusal},
          {"let_go", records.stage.let_go},
          {"clocks", clocks_json(records.stage.clocks)},
          {"drained", plan.drained},
          {"drains", drains_json(records.drains, origin)},
          {"nonce", phase.nonce},
          {"dropped", records.dropped ? Json(*records.dropped) : Json(nullptr)},
          {"origin_ns", origin},
          {"names", records.names},
          {"kernels", records.kernels.size()},
          {"buffers", records.buffers.size()}};
}

Json kernel_json(const core::KernelInfo& kernel) {
  return {{"kernel", kernel.name},
          {"grid", kernel.grid},
          {"block", kernel.block},
          {"registers", kernel.registers},
          {"static_shared_bytes", kernel.static_shared_bytes},
          {"dynamic_shared_bytes", kernel.dynamic_shared_bytes}};
}

class RecordWriter {
 public:
  RecordWriter(std::string& text, const TracePhase& phase, std::int64_t origin)
      : text_(text), nonce_(phase.nonce), origin_(origin) {}

  void write(const core::Record& record) {
    add("[\"{}\"", word_of(kRecordKinds, record.kind));
    if (record.kind == core::RecordKind::external) {
      external(record);
    } else {
      add(",{},{},{}", from_origin(record.start_ns, origin_), from_origin(record.end_ns, origin_),
          record.correlation_id);
      if (record.kind == core::RecordKind::api) {
        add(",{},{}", record.thread_id, record.name);
      } else {
        device(record);
      }
    }
    text_ += "]\n";
  }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }

  // The upper half of an id is left out where it is the phase's nonce, as it nearly always is.
  void external(const core::Record& record) {
    const auto upper = static_cast<std::uint32_t>(record.external_id >> 32U);
    const auto lower = static_cast<std::uint32_t>(record.external_id);
    add(",{},{},{}", record.correlation_id, record.external_kind, lower);
    if (upper != nonce_) add(",{}", upper);
  }

  void device(const core::Record& record) {
    add(",{},{},{}", record.device_id, record.context_id, record.stream_id);
    if (record.kind == core::RecordKind::kernel) {
      add(",{}", record.name);
      return;
    }
    if (record.bytes > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      unwritable("a copy of more than 2^63 bytes");
    }
    add(",{}", record.bytes);
    if (record.kind == core::RecordKind::memcpy) add(",{}", record.copy_kind);
  }

  std::string& text_;
  std::uint32_t nonce_;
  std::int64_t origin_;
};

void write_phase(std::string& text, const TracePhase& phase) {
  const std::int64_t origin = origin_of(phase.records);
  text += phase_json(phase, origin).dump() + '\n';
  for (const core::KernelInfo& kernel : phase.records.kernels) text += kernel_json(kernel).dump() + '\n';
  RecordWriter writer(text, phase, origin);
  for (const core::RecordBuffer& buffer : phase.records.buffers) {
    text += fmt::format("{{\"buffer\":{}}}\n", buffer.size());
    for (const core::Record& record : buffer) writer.write(record);
  }
}

}  // namespace

std::string format_trace(const Trace& trace) {
  try {
    std::string text = header_json(trace).dump() + '\n';
    for (const TracePhase& phase : trace.phases) write_phase(text, phase);
    return text;
  } catch (const nlohmann::json::exception& error) {
    unwritable(error.what());  // text that is not UTF-8
  }
}

void write_trace(const Trace& trace, const std::filesystem::path& path) {
  text::write_file(path, format_trace(trace), ErrorKind::trace);
}

}  // namespace opgate::collect
