#include "measure/cuda_stage.hpp"

#include <cuda_runtime_api.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <thread>
#include <utility>
#include <vector>

#include "collect/cuda_devices.hpp"
#include "measure/cuda_check.hpp"
#include "measure/device_hold.hpp"
#include "measure/device_ops.hpp"
#include "measure/probe_kernels.hpp"

namespace opgate::measure {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kNanosecondsPerMillisecond = 1e6;
constexpr std::int64_t kPlainCycles = 20'000;

class Event {
 public:
  Event() { check_cuda(cudaEventCreate(&event_), "cudaEventCreate"); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }
  void record(Stream stream) { check_cuda(cudaEventRecord(event_, stream), "cudaEventRecord"); }
  [[nodiscard]] double since_ns(const Event& start) const {
    check_cuda(cudaEventSynchronize(event_), "cudaEventSynchronize");
    float elapsed_ms = 0;
    check_cuda(cudaEventElapsedTime(&elapsed_ms, start.event_, event_), "cudaEventElapsedTime");
    return static_cast<double>(elapsed_ms) * kNanosecondsPerMillisecond;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

// The clock readings of one iteration, written by the device and read when it is idle.
class ProbeSlots {
 public:
  ProbeSlots() {
    void* memory = nullptr;
    check_cuda(cudaHostAlloc(&memory, kSlots * sizeof *slots_, cudaHostAllocMapped), "cudaHostAlloc");
    slots_ = static_cast<Slot*>(memory);
  }
  ProbeSlots(const ProbeSlots&) = delete;
  ProbeSlots& operator=(const ProbeSlots&) = delete;
  ~ProbeSlots() { static_cast<void>(cudaFreeHost(slots_)); }

  // Every slot in use is read first, so that none is overwritten.
  std::int64_t* next() {
    if (used_ == kSlots) {
      collect::drain_devices();
      collect();
    }
    slots_[used_] = {};
    return slots_[used_++].data();
  }
  // The device must be idle.
  void collect() {
    for (std::size_t i = 0; i < used_; ++i) {
      readings_.push_back({.cycles = slots_[i][0], .time_ns = slots_[i][1]});
    }
    used_ = 0;
  }
  std::vector<core::ClockReading> take() { return std::exchange(readings_, {}); }

 private:
  using Slot = std::array<std::int64_t, 2>;
  static constexpr std::size_t kSlots = 8;
  Slot* slots_ = nullptr;
  std::size_t used_ = 0;
  std::vector<core::ClockReading> readings_;
};

void wait_until(Clock::time_point end) {
  // A sleep ends late by some 60 us, which a short idle time would not notice but a long one need not spin away.
  constexpr std::chrono::microseconds kSleepError{100};
  if (const auto left = end - Clock::now(); left > 2 * kSleepError) {
    std::this_thread::sleep_for(left - kSleepError);
  }
  while (Clock::now() < end) {
  }
}

class CudaStage final : public Stage {
 public:
  CudaStage() { check_cuda(cudaStreamCreate(&stream_), "cudaStreamCreate"); }
  CudaStage(const CudaStage&) = delete;
  CudaStage& operator=(const CudaStage&) = delete;
  ~CudaStage() override { cudaStreamDestroy(stream_); }

  [[nodiscard]] Stream stream() const override { return stream_; }

  void flush_l2(Flush kind) override {
    if (kind == Flush::read) {
      // Lines that an op marked persisting survive a read flush.
      check_cuda(cudaCtxResetPersistingL2Cache(), "cudaCtxResetPersistingL2Cache");
      flush_.read(cudaStreamLegacy);
    } else if (kind == Flush::memset) {
      flush_.memset(cudaStreamLegacy);
    }
  }

  void hold(std::uint32_t iteration) override { hold_.hold(iteration); }
  void release() noexcept override { hold_.release(); }
  void probe_clock() override { launch_clock_probe(probes_.next(), cudaStreamLegacy); }

  core::StageFacts take_facts() override {
    return {.hold_refusal = hold_.refusal(), .let_go = hold_.take_let_go(), .clocks = probes_.take()};
  }

  void drain() override {
    collect::drain_devices();
    probes_.collect();
  }

  void idle(std::int64_t time_ns) override {
    if (time_ns > 0) {
      wait_until(Clock::now() + std::chrono::nanoseconds(time_ns));
    }
  }

  void wait_for_clock() override;
  void launch_plain_kernel() override { launch_spin(kPlainCycles, stream_); }

  double time_calls_ns(int calls, const std::function<void()>& body) override {
    start_.record(stream_);
    for (int i = 0; i < calls; ++i) {
      body();
    }
    stop_.record(stream_);
    return stop_.since_ns(start_) / calls;
  }

  std::int64_t time_one_ns(const std::function<void()>& body) override {
    start_.record(stream_);
    body();
    stop_.record(stream_);
    return std::llround(stop_.since_ns(start_));
  }

 private:
  double clock_mhz();

  cudaStream_t stream_ = nullptr;
  Event start_;
  Event stop_;
  FlushBuffer flush_;
  ProbeSlots probes_;
  DeviceHold hold_;
};

double CudaStage::clock_mhz() {
  constexpr double kMhzPerCycleNs = 1e3;
  probe_clock();
  drain();
  const std::vector<core::ClockReading> readings = probes_.take();
  const core::ClockReading& last = readings.back();
  return last.time_ns > 0 ? kMhzPerCycleNs * static_cast<double>(last.cycles) / static_cast<double>(last.time_ns) : 0;
}

// After a power-hungry case the clock climbs back for tens of milliseconds; what it never reaches is a cap.
void CudaStage::wait_for_clock() {
  constexpr double kRecovered = 0.99;
  constexpr double kRise = 1.003;
  constexpr std::chrono::milliseconds kStep{5};
  constexpr std::chrono::milliseconds kPatience{40};
  constexpr std::chrono::milliseconds kLongest{200};
  int device = 0;
  int most_khz = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  check_cuda(cudaDeviceGetAttribute(&most_khz, cudaDevAttrClockRate, device), "cudaDeviceGetAttribute(ClockRate)");
  const Clock::time_point start = Clock::now();
  Clock::time_point last_rise = start;
  double highest_mhz = clock_mhz();
  while (highest_mhz * 1e3 < kRecovered * most_khz && Clock::now() - start < kLongest &&
         Clock::now() - last_rise < kPatience) {
    std::this_thread::sleep_for(kStep);
    if (const double mhz = clock_mhz(); mhz > highest_mhz * kRise) {
      highest_mhz = mhz;
      last_rise = Clock::now();
    }
  }
}

}  // namespace

std::unique_ptr<Stage> make_cuda_stage() {
  return std::make_unique<CudaStage>();
}

}  // namespace opgate::measure
