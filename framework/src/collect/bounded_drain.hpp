#pragma once

#include <chrono>
#include <functional>
#include <memory>

namespace opgate::collect {

// Waits for the devices in a thread of its own, so that whoever asks waits no longer than he will: a kernel that the
// op's host side has yet to let go would hold him for ever.
class BoundedDrain {
 public:
  // `drain` may block for as long as it likes, even after this object is gone, and may throw.
  explicit BoundedDrain(std::function<void()> drain);
  BoundedDrain(const BoundedDrain&) = delete;
  BoundedDrain& operator=(const BoundedDrain&) = delete;
  ~BoundedDrain();

  // While it is, the thread spins: waking it up takes as long as the device times that are asked about.
  void attend(bool wanted);
  // Whether a drain that began after this was called ended well within `limit`. From any thread.
  [[nodiscard]] bool wait(std::chrono::nanoseconds limit);
  // Whether this is the thread that drains.
  [[nodiscard]] static bool is_this_thread() noexcept;

 private:
  struct State;
  static void serve(const std::shared_ptr<State>& state);
  std::shared_ptr<State> state_;
};

}  // namespace opgate::collect
