#include "app/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace opgate::app {

namespace {

constexpr std::size_t kLeastName = 8;

std::string time_text(std::chrono::seconds time) {
  const auto seconds = time.count();
  return seconds < 120 ? fmt::format("{} s", seconds) : fmt::format("{} min", (seconds + 30) / 60);
}

}  // namespace

std::string progress_line(const std::string& phase, std::size_t begun, std::size_t total, const std::string& name,
                          std::chrono::seconds elapsed, std::size_t width) {
  const std::size_t done = begun > 0 ? begun - 1 : 0;
  const std::string head = fmt::format("{} {}/{} ", phase, begun, total);
  const auto left = done > 0 ? elapsed * static_cast<std::int64_t>(total - done) / static_cast<std::int64_t>(done)
                             : std::chrono::seconds(0);
  const std::string tail = done > 0 ? fmt::format(", about {} left", time_text(left)) : std::string();
  const std::size_t fixed = head.size() + tail.size();
  if (fixed + name.size() <= width) return head + name + tail;
  if (fixed + kLeastName > width) return head.substr(0, width);
  return head + name.substr(0, width - fixed - 3) + "..." + tail;
}

Progress::Progress(std::ostream& err, bool shown, std::size_t width, std::string phase, std::size_t total)
    : err_(err), shown_(shown), width_(width), phase_(std::move(phase)), total_(total) {}

Progress::~Progress() {
  hide();
}

void Progress::hide() {
  if (shown_ && begun_ > 0) err_ << "\r\x1b[K" << std::flush;  // ECMA-48 EL: erases to the end of the line
}

void Progress::next(const std::string& name) {
  ++begun_;
  total_ = std::max(total_, begun_);  // where the total was an estimate
  if (!shown_) return;
  const auto elapsed = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start_);
  err_ << "\r\x1b[K" << progress_line(phase_, begun_, total_, name, elapsed, width_) << std::flush;
}

}  // namespace opgate::app
