#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/records.hpp"

namespace opgate::collect {

// Subscribes to CUPTI's callbacks for one phase, to learn since when the device is idle (collect/idle_watch.hpp). The
// op may be the one subscriber that a process can have: then nothing is learned, and nobody is disturbed.
class CuptiIdle {
 public:
  explicit CuptiIdle(int iterations);
  CuptiIdle(const CuptiIdle&) = delete;
  CuptiIdle& operator=(const CuptiIdle&) = delete;
  ~CuptiIdle();

  void open(std::uint32_t iteration);
  void close();
  // Ends the subscription. Per call, or nothing at all without one.
  [[nodiscard]] std::vector<std::optional<core::Drain>> end() noexcept;

 private:
  void unsubscribe() noexcept;
  void* subscriber_ = nullptr;  // nullptr: none
};

}  // namespace opgate::collect
