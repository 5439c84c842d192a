#pragma once

#include <csignal>

namespace opgate::run {

// While one exists, SIGINT and SIGTERM end nothing by themselves: stop_requested() tells of them, so that what was
// begun is still written or cleaned up. Where they nest, the outermost keeps what it was told.
class StopSignals {
 public:
  StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();

 private:
  struct sigaction interrupt_ {};
  struct sigaction terminate_ {};
  struct sigaction child_ {};
};

[[nodiscard]] bool stop_requested() noexcept;

}  // namespace opgate::run
