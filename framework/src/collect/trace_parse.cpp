#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <system_error>
#include <utility>

#include "collect/trace.hpp"
#include "collect/trace_lines.hpp"
#include "collect/trace_record.hpp"
#include "collect/trace_values.hpp"
#include "collect/trace_words.hpp"
#include "text/file.hpp"

namespace opgate::collect {
namespace {

using text::Json;

// A recording of 200 iterations takes about 50 kB a phase.
constexpr std::size_t kLargestTrace = std::size_t{64} << 20U;
constexpr std::size_t kLongestHeader = std::size_t{1} << 20U;
constexpr std::int64_t kMostCyclesPerNs = 100;
constexpr int kMostIterations = 1'000'000;  // as in specs

core::CaseIdentity read_identity(const Json& json) {
  json.only({"name", "op", "workload", "dtype", "dimensions", "params", "generator", "copies", "flops", "bytes_read",
             "bytes_written"});
  core::CaseIdentity identity;
  identity.name = json.at("name").as_string();
  identity.op = json.at("op").as_string();
  identity.workload = json.at("workload").as_string();
  identity.dtype = json.at("dtype").as_string();
  for (const auto& [name, value] : json.at("dimensions").as_object()) identity.dimensions[name] = value.as_integer();
  for (const auto& [name, value] : json.at("params").as_object()) identity.params[name] = value.as_number();
  identity.generator = json.at("generator").as_string();
  identity.copies = json.at("copies").as_string();
  identity.flops = optional_number(json.at("flops"));
  identity.bytes_read = optional_number(json.at("bytes_read"));
  identity.bytes_written = optional_number(json.at("bytes_written"));
  return identity;
}

core::DeviceIdentity read_device(const Json& json) {
  json.only({"name", "uuid", "driver", "cuda", "cupti", "index", "sm_count", "l2_bytes", "memory_bytes",
             "compute_capability", "max_sm_mhz", "tick_ns"});
  core::DeviceIdentity device;
  device.name = json.at("name").as_string();
  device.uuid = json.at("uuid").as_string();
  device.driver = json.at("driver").as_string();
  device.cuda = json.at("cuda").as_string();
  device.cupti = json.at("cupti").as_string();
  device.index = integer<std::int32_t>(json.at("index"));
  device.sm_count = integer<std::int32_t>(json.at("sm_count"));
  device.l2_bytes = json.at("l2_bytes").as_integer();
  device.memory_bytes = json.at("memory_bytes").as_integer();
  device.compute_capability = integer<std::int32_t>(json.at("compute_capability"));
  device.max_sm_mhz = integer<std::int32_t>(json.at("max_sm_mhz"));
  device.tick_ns = integer<std::int32_t>(json.at("tick_ns"));
  return device;
}

void check_version(const Json& json) {
  const Json* const format = json.find("format");
  if (format == nullptr || format->as_string() != kTraceFormat) throw json.error("this is not an opgate trace");
  const std::int64_t version = json.at("version").as_integer();
  if (version > kTraceVersion) {
    throw json.at("version").error(
        fmt::format("the trace has version {}, and this opgate reads up to version {}", version, kTraceVersion),
        "replay it with a newer opgate");
  }
  if (version < 1) throw json.at("version").error(fmt::format("there is no trace version {}", version));
}

std::size_t read_header(const Json& json, Trace& trace) {
  check_version(json);
  json.only({"format", "version", "case", "device", "implementations", "protocol", "timing", "flush", "launch",
             "pacing", "probe_clock", "recorded_unix_ms", "external_kind", "calibrations_ns", "phases"});
  trace.identity = read_identity(json.at("case"));
  trace.device = read_device(json.at("device"));
  for (const Json& name : json.at("implementations").as_array()) trace.implementations.push_back(name.as_string());
  trace.protocol = word(kProtocols, json.at("protocol"));
  trace.timing = word(kTimings, json.at("timing"));
  trace.flush = word(kFlushes, json.at("flush"));
  // Version 1 knew only direct calls, neither paced nor probed.
  const bool first_version = json.at("version").as_integer() == 1;
  const Json& launch = json.at("launch");
  trace.launch = launch.type() == Json::Type::null ? std::optional<Launch>() : word(kLaunches, launch);
  trace.pacing = first_version ? 0 : json.at("pacing").as_number();
  trace.probe_clock = !first_version && json.at("probe_clock").as_bool();
  trace.recorded_unix_ms = json.at("recorded_unix_ms").as_integer();
  trace.external_kind = integer<std::uint32_t>(json.at("external_kind"));
  for (const Json& value : json.at("calibrations_ns").as_array()) trace.calibrations_ns.push_back(value.as_number());
  return integer<std::size_t>(json.at("phases"));
}

struct PhaseCounts {
  std::size_t kernels = 0;
  std::size_t buffers = 0;
  std::int64_t origin_ns = 0;
};

void read_stage_facts(const Json& json, TracePhase& phase) {
  core::StageFacts& facts = phase.records.stage;
  phase.plan.held = json.at("held").as_bool();
  phase.plan.every_api = json.at("every_api").as_bool();
  facts.hold_refusal = json.at("hold_refusal").as_string();
  for (const Json& iteration : json.at("let_go").as_array()) facts.let_go.push_back(integer<std::uint32_t>(iteration));
  for (const Json& clock : json.at("clocks").as_array()) {
    const auto& pair = clock.as_array();
    if (pair.size() != 2) throw clock.error("expected cycles and nanoseconds");
    const core::ClockReading reading{pair[0].as_integer(), pair[1].as_integer()};
    if (reading.time_ns > 0 && reading.cycles / reading.time_ns > kMostCyclesPerNs) {
      throw clock.error(fmt::format("{} cycles in {} ns", reading.cycles, reading.time_ns));
    }
    facts.clocks.push_back(reading);
  }
}

void read_drains(const Json& json, TracePhase& phase) {
  phase.plan.drained = json.at("drained").as_bool();
  const std::int64_t origin_ns = json.at("origin_ns").as_integer();
  const auto& drains = json.at("drains").as_array();
  if (!drains.empty() && drains.size() != static_cast<std::size_t>(phase.plan.iterations)) {
    throw json.at("drains").error(fmt::format("{} drains of {} iterations", drains.size(), phase.plan.iterations));
  }
  for (const Json& drain : drains) {
    std::optional<core::Drain>& read = phase.records.drains.emplace_back();
    if (drain.type() == Json::Type::null) continue;
    const auto& pair = drain.as_array();
    if (pair.size() != 2) throw drain.error("expected the begin and the end of a drain");
    read = core::Drain{with_origin(pair[0], origin_ns), with_origin(pair[1], origin_ns)};
  }
}

PhaseCounts read_phase_header(const Json& json, TracePhase& phase) {
  json.only({"phase", "implementation", "pass", "attempt", "iterations", "buffer_bytes", "held", "every_api",
             "hold_refusal", "let_go", "clocks", "drained", "drains", "nonce", "dropped", "origin_ns", "names",
             "kernels", "buffers"});
  phase.plan.kind = word(kPhaseKinds, json.at("phase"));
  phase.plan.implementation = json.at("implementation").as_string();
  phase.plan.pass = integer<int>(json.at("pass"));
  phase.plan.attempt = integer<int>(json.at("attempt"));
  phase.plan.iterations = integer<int>(json.at("iterations"));
  if (phase.plan.iterations < 0 || phase.plan.iterations > kMostIterations) {
    throw json.at("iterations")
        .error(fmt::format("{} iterations, outside 0 to {}", phase.plan.iterations, kMostIterations));
  }
  phase.plan.buffer_bytes = integer<std::size_t>(json.at("buffer_bytes"));
  if (json.find("held") != nullptr) read_stage_facts(json, phase);  // absent in version 1
  if (json.find("drained") != nullptr) read_drains(json, phase);    // and in version 2
  phase.nonce = integer<std::uint32_t>(json.at("nonce"));
  const Json& dropped = json.at("dropped");
  if (dropped.type() != Json::Type::null) phase.records.dropped = integer<std::uint64_t>(dropped);
  for (const Json& name : json.at("names").as_array()) phase.records.names.push_back(name.as_string());
  return {integer<std::size_t>(json.at("kernels")), integer<std::size_t>(json.at("buffers")),
          json.at("origin_ns").as_integer()};
}

std::array<std::int32_t, 3> read_extents(const Json& json) {
  const auto& values = json.as_array();
  if (values.size() != 3) throw json.error("expected three numbers");
  return {integer<std::int32_t>(values[0]), integer<std::int32_t>(values[1]), integer<std::int32_t>(values[2])};
}

core::KernelInfo read_kernel(const Json& json) {
  json.only({"kernel", "grid", "block", "registers", "static_shared_bytes", "dynamic_shared_bytes"});
  core::KernelInfo kernel;
  kernel.name = json.at("kernel").as_string();
  kernel.grid = read_extents(json.at("grid"));
  kernel.block = read_extents(json.at("block"));
  kernel.registers = integer<std::int32_t>(json.at("registers"));
  kernel.static_shared_bytes = integer<std::int32_t>(json.at("static_shared_bytes"));
  kernel.dynamic_shared_bytes = integer<std::int32_t>(json.at("dynamic_shared_bytes"));
  return kernel;
}

TracePhase parse_phase(TraceLines& lines) {
  TracePhase phase;
  const PhaseCounts counts =
      lines.next("a phase", [&phase](const Json& json) { return read_phase_header(json, phase); });
  // Counts are claims: nothing is reserved by them.
  for (std::size_t i = 0; i < counts.kernels; ++i) {
    phase.records.kernels.push_back(lines.next("a kernel", read_kernel));
  }
  const RecordReader reader(phase, counts.origin_ns);
  for (std::size_t i = 0; i < counts.buffers; ++i) {
    const auto size = lines.next("a buffer", [](const Json& json) {
      json.only({"buffer"});
      return integer<std::size_t>(json.at("buffer"));
    });
    core::RecordBuffer& buffer = phase.records.buffers.emplace_back();
    for (std::size_t n = 0; n < size; ++n) {
      buffer.push_back(lines.next("a record", [&reader](const Json& json) { return reader.read(json); }));
    }
  }
  return phase;
}

}  // namespace

Trace parse_trace(const std::string& text, const std::string& name_for_messages) {
  TraceLines lines(text, name_for_messages);
  Trace trace;
  const auto phases = lines.next("a header", [&trace](const Json& json) { return read_header(json, trace); });
  for (std::size_t i = 0; i < phases; ++i) trace.phases.push_back(parse_phase(lines));
  if (!lines.at_end()) throw lines.error("more lines follow than the trace's own counts say");
  return trace;
}

Trace read_trace(const std::filesystem::path& path) {
  return parse_trace(text::read_file(path, ErrorKind::trace, kLargestTrace, "record fewer iterations (--iterations)"),
                     path.string());
}

std::int64_t recorded_unix_ms(const std::filesystem::path& path) {
  std::string line(kLongestHeader, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<std::size_t>(file.gcount()));
  line.resize(std::min(line.size(), line.find('\n') + 1));
  Trace trace;
  TraceLines(line, path.string()).next("a header", [&trace](const Json& json) { return read_header(json, trace); });
  return trace.recorded_unix_ms;
}

}  // namespace opgate::collect
