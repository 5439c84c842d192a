// What collecting activity records costs: 100,000 kernels, 500 in each of 200 calls, launched and waited for without
// and with CUPTI in one process (without first, because tracing stays on). With it, also what the phase's end takes
// (flush, parse, proof) and its attribution. Once with kernels so short that the host cannot launch them as fast as
// they run, where all of CUPTI's time at each launch shows, and twice with longer ones. Needs a GPU.
//   bench_collect [REPEATS]        medians of so many (default: 9)
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
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
constexpr int kUsualRepeats = 9;
constexpr std::array<std::int64_t, 3> kFloats{262'144, 2'097'152, 4'194'304};
constexpr std::size_t kBufferBytes = std::size_t{8} << 20U;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Launches and nothing else: asking for an error after each is a call of the API more, which CUPTI looks at, too.
void call(float* y, std::int64_t floats) {
  opgate::measure::launch_elementwise(y, floats, nullptr, kKernelsPerCall);
}

double uncollected_ms(float* y, std::int64_t floats) {
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < kCalls; ++i) {
    call(y, floats);
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

void collect_once(float* y, std::int64_t floats, Collected& times) {
  opgate::collect::Collector& collector = opgate::collect::cupti_collector();
  const std::uint32_t nonce = collector.begin_phase({.kind = opgate::collect::PhaseKind::measure,
                                                     .implementation = {},
                                                     .iterations = kCalls,
                                                     .buffer_bytes = kBufferBytes});
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < kCalls; ++i) {
    const std::uint64_t id = opgate::core::external_id(nonce, static_cast<std::uint32_t>(i));
    collector.push(id);
    call(y, floats);
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

double median_uncollected_ms(float* y, std::int64_t floats, int repeats) {
  std::vector<double> uncollected;
  static_cast<void>(uncollected_ms(y, floats));
  for (int i = 0; i < repeats; ++i) uncollected.push_back(uncollected_ms(y, floats));
  return opgate::core::median(uncollected);
}

void print_row(double without_ms, const Collected& collected) {
  using opgate::core::median;
  constexpr double kUsPerMs = 1000;
  const double launched_ms = median(collected.launched_ms);
  const double all_ms = median(collected.all_ms);
  fmt::print(
      "  a kernel every {:.1f} us: {:.0f} ms without collection; with it {:.0f} ms (ratio {:.2f}): launched in {:.0f} "
      "ms "
      "(ratio {:.2f}), phase ended in {:.0f} ms, attributed in {:.0f} ms\n",
      without_ms * kUsPerMs / (kKernelsPerCall * kCalls), without_ms, all_ms, all_ms / without_ms, launched_ms,
      launched_ms / without_ms, median(collected.ended_ms), median(collected.attributed_ms));
}

void compare(int repeats) {
  const opgate::measure::DeviceArray array(static_cast<std::size_t>(kFloats.back()) * sizeof(float));
  auto* const y = static_cast<float*>(array.data());
  std::vector<double> without_ms;
  for (const std::int64_t floats : kFloats) without_ms.push_back(median_uncollected_ms(y, floats, repeats));
  opgate::start_tracing();
  cudaDeviceProp device{};
  check_cuda(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
  fmt::print("{} kernels on {}, medians of {}\n", kKernelsPerCall * kCalls, device.name, repeats);
  for (std::size_t i = 0; i < kFloats.size(); ++i) {
    Collected collected;
    Collected first;
    collect_once(y, kFloats[i], first);
    for (int repeat = 0; repeat < repeats; ++repeat) collect_once(y, kFloats[i], collected);
    print_row(without_ms[i], collected);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const int repeats = count > 1 ? std::atoi(arguments[1]) : kUsualRepeats;
  if (count > 2 || repeats < 1) {
    fmt::print(stderr, "usage: bench_collect [REPEATS]\n");
    return 64;
  }
  try {
    compare(repeats);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  }
}
