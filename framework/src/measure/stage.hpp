#pragma once

#include <cstdint>
#include <functional>

#include "core/records.hpp"
#include "opgate/bench.hpp"

namespace opgate::measure {

// The device as the protocol drives it: a real GPU (cuda_stage.cpp), or the recorded one of a trace.
class Stage {
 public:
  Stage() = default;
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  virtual ~Stage() = default;

  // The stream handed to the callable: a blocking one. Flush, hold and probes go into the legacy default stream.
  [[nodiscard]] virtual Stream stream() const = 0;
  virtual void flush_l2(Flush kind) = 0;
  // Work issued from here on waits until release(), or until a watchdog finds the host waiting for it. After the
  // watchdog had to step in, the rest of the phase is not held.
  virtual void hold(std::uint32_t iteration) = 0;
  virtual void release() noexcept = 0;
  // Reads the SM clock when everything issued before is done.
  virtual void probe_clock() = 0;
  // What was seen since the last call.
  [[nodiscard]] virtual core::StageFacts take_facts() = 0;
  // Waits for every device this process uses.
  virtual void drain() = 0;
  // Leaves the device alone for a while.
  virtual void idle(std::int64_t time_ns) = 0;
  // Until the SM clock is back up after earlier work, or does not rise any more; bounded.
  virtual void wait_for_clock() = 0;
  // A kernel of some microseconds into stream(), with nothing to hide.
  virtual void launch_plain_kernel() = 0;
  // Mean device time of one `body` over `calls` calls by a pair of events, in ns. A trace returns what was recorded.
  virtual double time_calls_ns(int calls, const std::function<void()>& body) = 0;
  // One call between two events, in ns (the cuda_events fallback).
  virtual std::int64_t time_one_ns(const std::function<void()>& body) = 0;
};

}  // namespace opgate::measure
