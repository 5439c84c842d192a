#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace opgate::measure {

// Keeps the current device from starting anything issued after hold(), until release(): a wait in the legacy default
// stream, which also holds every blocking stream and the per-thread default streams (measured on an H200; streams made
// with cudaStreamNonBlocking run on). A thread that makes no CUDA call releases a hold that lasts longer than
// kLongestHold, because then the host is waiting for the held device.
class DeviceHold {
 public:
  DeviceHold();
  DeviceHold(const DeviceHold&) = delete;
  DeviceHold& operator=(const DeviceHold&) = delete;
  ~DeviceHold();

  // Why this process cannot hold the device; "" when it can.
  [[nodiscard]] const std::string& refusal() const noexcept { return refusal_; }
  // Error(cuda). Does nothing when refused, or after the watchdog had to step in since the last take_let_go().
  void hold(std::uint32_t iteration);
  void release() noexcept;
  // Iterations whose hold the watchdog released.
  [[nodiscard]] std::vector<std::uint32_t> take_let_go();

 private:
  void watch() noexcept;
  // Never takes the word back below a value that was stored already: a hold would then last for ever.
  void store_at_least(std::uint32_t ticket) noexcept;

  std::string refusal_;
  void* wait_value_ = nullptr;     // cuStreamWaitValue32
  std::uint32_t* word_ = nullptr;  // in host memory that the device polls
  std::uint32_t ticket_ = 0;       // of the latest hold
  std::uint32_t iteration_ = 0;    // of the latest hold
  std::vector<std::uint32_t> let_go_;
  std::atomic<std::uint32_t> armed_ticket_{0};  // 0: nothing to watch
  std::atomic<std::int64_t> armed_at_ns_{0};
  std::atomic<std::uint32_t> released_by_watchdog_{0};  // its latest ticket
  std::atomic<bool> stop_{false};
  std::thread watchdog_;
};

}  // namespace opgate::measure
