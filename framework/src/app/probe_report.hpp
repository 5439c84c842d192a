#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "core/check.hpp"

namespace opgate::app {

// Tells checks as they are made. What throws is a failed check; a step that hangs, too: after kLongest this process
// ends with the name of the step.
class ProbeReport {
 public:
  explicit ProbeReport(bool json);
  ProbeReport(const ProbeReport&) = delete;
  ProbeReport& operator=(const ProbeReport&) = delete;
  ~ProbeReport();

  // False when the check failed.
  bool step(const std::string& name, const std::function<core::Check()>& check);
  [[nodiscard]] int failed() const noexcept { return failed_; }

 private:
  void tell(const core::Check& check) const;
  void watch();

  bool json_;
  int failed_ = 0;
  std::mutex mutex_;
  std::string step_;  // guarded by mutex_, as is printing
  std::atomic<bool> stop_{false};
  std::thread watchdog_;
};

}  // namespace opgate::app
