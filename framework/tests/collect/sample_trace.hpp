#pragma once

#include <cstdint>

#include "collect/trace.hpp"
#include "core/attribution.hpp"

namespace opgate::test {

inline constexpr std::uint32_t kNonce = 0xdead'beefU;
inline constexpr std::uint32_t kExternalKind = 5;
inline constexpr std::int64_t kStart = 1'700'000'000'000'000'000;

// One launch as CUPTI delivers it with the filter on: an external record, its API record, the kernel.
inline void add_launch(core::RecordBuffer& buffer, std::uint32_t correlation, std::uint32_t label, std::int64_t start,
                       std::int64_t duration, std::uint32_t kernel) {
  core::Record external;
  external.kind = core::RecordKind::external;
  external.correlation_id = correlation;
  external.external_kind = kExternalKind;
  external.external_id = core::external_id(kNonce, label);
  core::Record api;
  api.kind = core::RecordKind::api;
  api.start_ns = start - 3000;
  api.end_ns = start - 1000;
  api.correlation_id = correlation;
  api.thread_id = 4321;
  core::Record work;
  work.start_ns = start;
  work.end_ns = start + duration;
  work.correlation_id = correlation;
  work.context_id = 1;
  work.stream_id = 13;
  work.name = kernel;
  buffer.insert(buffer.end(), {external, api, work});
}

// Iterations of a flush kernel (preparation) and a call whose kernels take 1000 + i and 500 ns; two buffers.
inline collect::TracePhase sample_phase(int iterations) {
  collect::TracePhase phase;
  phase.plan = {collect::PhaseKind::measure, "", 0, 1, iterations, 256 * 1024};
  phase.nonce = kNonce;
  phase.records.names = {"cudaLaunchKernel_v7000"};
  phase.records.kernels = {{"_Z5flushPKf", {1056, 1, 1}, {512, 1, 1}, 16, 0, 0},
                           {"_Z3addPf", {1024, 1, 1}, {256, 1, 1}, 32, 0, 0},
                           {"_Z3sumPf", {1, 1, 1}, {1024, 1, 1}, 40, 4096, 128}};
  phase.records.buffers.resize(2);
  phase.records.dropped = 0;
  std::uint32_t correlation = 100;
  for (int i = 0; i < iterations; ++i) {
    auto& buffer = phase.records.buffers[i < iterations / 2 ? 0 : 1];
    const std::int64_t start = kStart + i * 100'000;
    const auto label = static_cast<std::uint32_t>(i);
    add_launch(buffer, correlation++, core::kPreparation, start, 20'000, 0);
    add_launch(buffer, correlation++, label, start + 40'000, 1000 + i, 1);
    add_launch(buffer, correlation++, label, start + 45'000, 500, 2);
  }
  return phase;
}

inline collect::Trace sample_trace(int iterations = 20) {
  collect::Trace trace;
  trace.identity = {
      "add.small.f32", "add",     "small", "f32", {{"rows", 4096}, {"cols", 64}}, {{"eps", 1e-6}}, "philox-1 seed 0",
      "forbid",        1048576.0, {},      4096.5};
  trace.device = {"NVIDIA H200", "GPU-0123", "580.159.03", "13.0", "130001", 0,
                  132,           62914560,   150754820096, 90,     1980,     32};
  trace.implementations = {"", "cublas"};
  trace.protocol = Protocol::method_1;
  trace.flush = Flush::memset;
  trace.recorded_unix_ms = 1'755'000'000'000;
  trace.external_kind = kExternalKind;
  trace.calibrations_ns = {2048.0, 1.0 / 3.0};
  trace.phases = {sample_phase(iterations)};
  return trace;
}

inline core::Reading read(const collect::TracePhase& phase) {
  return core::read_phase(phase.records, {kExternalKind, phase.nonce, phase.plan.iterations, false});
}

}  // namespace opgate::test
