#pragma once

#include <cstdint>
#include <functional>

#include "opgate/bench.hpp"

namespace opgate::measure {

// The device as the protocol drives it: a real GPU (cuda_stage.cpp), or the recorded one of a trace.
class Stage {
 public:
  Stage() = default;
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  virtual ~Stage() = default;

  // The stream handed to the callable.
  [[nodiscard]] virtual Stream stream() const = 0;
  virtual void flush_l2(Flush kind) = 0;
  // Waits for every device this process uses.
  virtual void drain() = 0;
  // Mean device time of one `body` over `calls` calls by a pair of events, in ns. A trace returns what was recorded.
  virtual double time_calls_ns(int calls, const std::function<void()>& body) = 0;
  // One call between two events, in ns (the cuda_events fallback).
  virtual std::int64_t time_one_ns(const std::function<void()>& body) = 0;
};

}  // namespace opgate::measure
