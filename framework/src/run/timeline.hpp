#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

#include "run/worker.hpp"

namespace opgate::run {

// Adds up the wall time of phases and reports each as it begins. A phase that comes back is added to what it had.
class Timeline {
 public:
  explicit Timeline(PhaseReport report) : report_(std::move(report)) {}

  void enter(const std::string& phase) {
    leave();
    phase_ = phase;
    began_ = Clock::now();
    report_(phase);
  }
  void leave() {
    if (!phase_.empty()) {
      wall_ns_[phase_] += std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - began_).count();
    }
    began_ = Clock::now();
  }
  [[nodiscard]] const std::string& phase() const noexcept { return phase_; }
  [[nodiscard]] const std::map<std::string, std::int64_t>& wall_ns() const noexcept { return wall_ns_; }

 private:
  using Clock = std::chrono::steady_clock;
  PhaseReport report_;
  std::string phase_;
  Clock::time_point began_ = Clock::now();
  std::map<std::string, std::int64_t> wall_ns_;
};

}  // namespace opgate::run
