#pragma once

#include <atomic>
#include <thread>
#include <vector>

namespace opgate::measure {

// Keeps every CPU core busy as long as it lives, by one thread each that makes no CUDA call.
class HostLoad {
 public:
  HostLoad();
  HostLoad(const HostLoad&) = delete;
  HostLoad& operator=(const HostLoad&) = delete;
  ~HostLoad();

  [[nodiscard]] int threads() const noexcept { return static_cast<int>(threads_.size()); }

 private:
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

}  // namespace opgate::measure
