#pragma once

#include <chrono>
#include <cstddef>
#include <ostream>
#include <string>

namespace opgate::app {

// One line on a terminal that says how far long work is: phase, count, what is being done, time left. It is rewritten
// in place and gone at the end. Without a terminal, and in CI, nothing is written.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;
  Progress(std::ostream& err, bool shown, std::size_t width, std::string phase, std::size_t total);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();
  // Before a piece of work begins. A total that turns out too small grows.
  void next(const std::string& name);
  // Before something else is printed.
  void hide();

 private:
  std::ostream& err_;
  bool shown_;
  std::size_t width_;
  std::string phase_;
  std::size_t total_;
  std::size_t begun_ = 0;
  Clock::time_point start_ = Clock::now();
};

// "measure 4/12 gemm.square-4096.bf16, about 20 s left", no wider than `width`. The time left is that of the pieces
// done so far, each alike; unsaid before the first is done.
[[nodiscard]] std::string progress_line(const std::string& phase, std::size_t begun, std::size_t total,
                                        const std::string& name, std::chrono::seconds elapsed, std::size_t width);

}  // namespace opgate::app
