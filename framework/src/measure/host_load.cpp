#include "measure/host_load.hpp"

#include <algorithm>

namespace opgate::measure {

HostLoad::HostLoad() {
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  for (unsigned i = 0; i < cores; ++i) {
    threads_.emplace_back([this] {
      while (!stop_.load(std::memory_order_relaxed)) {
      }
    });
  }
}

HostLoad::~HostLoad() {
  stop_.store(true);
  for (std::thread& thread : threads_) thread.join();
}

}  // namespace opgate::measure
