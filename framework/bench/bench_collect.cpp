// What collecting activity records costs: 100,000 kernels, 500 in each of 200 calls, timed without and with CUPTI in
// one process (without first, because tracing stays on). Needs a GPU.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <vector>

#include "core/statistics.hpp"
#include "measure/device_ops.hpp"
#include "measure/probe_kernels.hpp"
#include "opgate/bench.hpp"

namespace {

constexpr int kKernelsPerCall = 500;
constexpr int kCalls = 200;
constexpr int kRepeats = 7;
constexpr std::int64_t kFloats = 262'144;

double seconds_of(const opgate::Callable& call, const opgate::BenchOptions& options) {
  std::vector<double> seconds;
  for (int i = 0; i <= kRepeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const opgate::Measurement measurement = opgate::bench(call, options);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (measurement.retries > 0) fmt::print("  {} retries in one repeat\n", measurement.retries);
    if (i > 0) seconds.push_back(took.count());  // the first one warms up
  }
  return opgate::core::median(seconds);
}

}  // namespace

int main() {
  try {
    const opgate::measure::DeviceArray array(kFloats * sizeof(float));
    auto* const y = static_cast<float*>(array.data());
    const opgate::Callable call = [y](opgate::Stream stream) {
      for (int i = 0; i < kKernelsPerCall; ++i) opgate::measure::launch_elementwise(y, kFloats, stream);
    };
    opgate::BenchOptions options;
    options.launch = opgate::Launch::direct;
    options.pacing = 0;
    options.probe_clock = false;
    options.iterations = kCalls;
    options.min_iterations = 1;
    options.warmup_budget_ns = 0;
    options.buffer_bytes = 8 << 20;
    options.timing = opgate::Timing::cuda_events;
    const double without_s = seconds_of(call, options);
    options.timing = opgate::Timing::cupti;
    const double with_s = seconds_of(call, options);
    cudaDeviceProp device{};
    static_cast<void>(cudaGetDeviceProperties(&device, 0));
    fmt::print("{} kernels on {}: {:.0f} ms without collection, {:.0f} ms with it and its attribution, ratio {:.2f}\n",
               kKernelsPerCall * kCalls, device.name, without_s * 1e3, with_s * 1e3, with_s / without_s);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  }
}
