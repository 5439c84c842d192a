// What collecting activity records costs: 100,000 kernels, 500 in each of 200 calls, launched and waited for without
// and with CUPTI in one process (without first, because tracing stays on). With it, also what the phase's end takes
// (flush, parse, proof) and its attribution. Needs a GPU.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <vector>

#include "collect/collector.hpp"
#include "collect/trace.hpp"
#include "core/attribution.hpp"
#include "core/statistics.hpp"
#include "measure/cuda_check.hpp"
#include "measure/device_ops.hpp"
#include "measure/probe_kernels.hpp"
#include "opgate/bench.hpp"
#include "opgate/error.hpp"

namespace {

using opgate::measure::check_cuda;
using Clock = std::chrono::steady_clock;

constexpr int kKernelsPerCall = 500;
constexpr int kCalls = 200;
constexpr int kRepeats = 9;
constexpr std::int64_t kFloats = 262'144;
constexpr std::size_t kBufferBytes = std::size_t{8} << 20U;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Launches and nothing else: asking for an error after each is a call of the API more, which CUPTI looks at, too.
void call(float* y) {
  opgate::measure::launch_elementwise(y, kFloats, nullptr, kKernelsPerCall);
}

double uncollected_ms(float* y) {
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < kCalls; ++i) {
    call(y);
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
  return ms_since(start);
}

struct Collected {
  std::vector<double> launched_ms;
  std::vector<double> ended_ms;
  std::vector<double> attributed_ms;
  std::vector<double> all_ms;
};

void collect_once(float* y, Collected& times) {
  opgate::collect::Collector& collector = opgate::collect::cupti_collector();
  const std::uint32_t nonce = collector.begin_phase({.kind = opgate::collect::PhaseKind::measure,
                                                     .implementation = {},
                                                     .iterations = kCalls,
                                                     .buffer_bytes = kBufferBytes});
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < kCalls; ++i) {
    const std::uint64_t id = opgate::core::external_id(nonce, static_cast<std::uint32_t>(i));
    collector.push(id);
    call(y);
    collector.pop(id);
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
  times.launched_ms.push_back(ms_since(start));
  const opgate::core::PhaseRecords records = collector.end_phase({});
  times.ended_ms.push_back(ms_since(start) - times.launched_ms.back());
  const auto reading = opgate::core::read_phase(
      records,
      {.external_kind = collector.external_kind(), .nonce = nonce, .iterations = kCalls, .copies_allowed = false});
  times.all_ms.push_back(ms_since(start));
  times.attributed_ms.push_back(times.all_ms.back() - times.launched_ms.back() - times.ended_ms.back());
  if (!reading.issues.empty()) {
    throw opgate::Error(opgate::ErrorKind::cupti, reading.issues.front().text, "bench_collect");
  }
}

void compare() {
  const opgate::measure::DeviceArray array(kFloats * sizeof(float));
  auto* const y = static_cast<float*>(array.data());
  std::vector<double> uncollected;
  static_cast<void>(uncollected_ms(y));
  for (int i = 0; i < kRepeats; ++i) uncollected.push_back(uncollected_ms(y));
  opgate::start_tracing();
  Collected collected;
  Collected first;
  collect_once(y, first);
  for (int i = 0; i < kRepeats; ++i) collect_once(y, collected);

  using opgate::core::median;
  cudaDeviceProp device{};
  check_cuda(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
  const double without_ms = median(uncollected);
  const double launched_ms = median(collected.launched_ms);
  const double all_ms = median(collected.all_ms);
  fmt::print(
      "{} kernels on {}, medians of {}: {:.0f} ms without collection; with it {:.0f} ms (ratio {:.2f}): launched in "
      "{:.0f} ms (ratio {:.2f}), phase ended in {:.0f} ms, attributed in {:.0f} ms\n",
      kKernelsPerCall * kCalls, device.name, kRepeats, without_ms, all_ms, all_ms / without_ms, launched_ms,
      launched_ms / without_ms, median(collected.ended_ms), median(collected.attributed_ms));
}

}  // namespace

int main() {
  try {
    compare();
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  }
}
