#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "collect/api_effect.hpp"
#include "core/records.hpp"

namespace opgate::collect {

// Since when the device was idle in each of a phase's calls: drains it where the call may wait for it, before the CUDA
// call does its own part, and forgets that when work is launched after. Told of the CUDA calls of all threads.
class IdleWatch {
 public:
  using Drain = std::function<bool()>;          // false: the device could not be drained
  using Clock = std::function<std::int64_t()>;  // that of the records of API calls
  IdleWatch(Drain drain, Clock clock) : drain_(std::move(drain)), clock_(std::move(clock)) {}

  // The measuring thread's: a phase of so many calls, and each of these calls.
  void begin(int iterations);
  void open(std::uint32_t iteration);
  void close();
  // Of each call the first drain after its last launch; absent where nothing waited.
  [[nodiscard]] std::vector<std::optional<core::Drain>> end();

  void enter(ApiEffect effect);
  void leave(ApiEffect effect);

 private:
  void work_came();
  void look(std::unique_lock<std::mutex>& lock);

  Drain drain_;
  Clock clock_;
  std::mutex mutex_;
  std::vector<std::optional<core::Drain>> drains_;
  std::optional<std::uint32_t> iteration_;
  std::optional<core::Drain> idle_;
  std::uint64_t changes_ = 0;  // a drain during which something was launched proves nothing
  bool captured_ = false;      // in this call: what is left of it is not drained
  bool stuck_ = false;         // in this phase: a drain did not end
};

}  // namespace opgate::collect
