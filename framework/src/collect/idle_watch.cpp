#include "collect/idle_watch.hpp"

#include <utility>

namespace opgate::collect {

void IdleWatch::begin(int iterations) {
  const std::scoped_lock lock(mutex_);
  drains_.assign(static_cast<std::size_t>(iterations), std::nullopt);
  iteration_.reset();
  stuck_ = false;
}

void IdleWatch::open(std::uint32_t iteration) {
  const std::scoped_lock lock(mutex_);
  if (iteration >= drains_.size()) return;
  iteration_ = iteration;
  captured_ = false;
  work_came();  // the flush and the opening probe
}

void IdleWatch::close() {
  const std::scoped_lock lock(mutex_);
  if (!iteration_) return;
  if (!captured_) drains_[*iteration_] = idle_;
  iteration_.reset();
  work_came();
}

std::vector<std::optional<core::Drain>> IdleWatch::end() {
  const std::scoped_lock lock(mutex_);
  iteration_.reset();
  return std::exchange(drains_, {});
}

void IdleWatch::enter(ApiEffect effect) {
  std::unique_lock lock(mutex_);
  if (!iteration_) return;
  if (effect == ApiEffect::captures) captured_ = true;
  if (effect == ApiEffect::works || effect == ApiEffect::copies) work_came();
  if (effect == ApiEffect::waits) look(lock);
}

void IdleWatch::leave(ApiEffect effect) {
  std::unique_lock lock(mutex_);
  if (!iteration_) return;
  // It was launched some time between entering and leaving.
  if (effect == ApiEffect::works || effect == ApiEffect::copies) work_came();
  if (effect == ApiEffect::copies) look(lock);
}

void IdleWatch::work_came() {
  ++changes_;
  idle_.reset();
}

void IdleWatch::look(std::unique_lock<std::mutex>& lock) {
  if (idle_ || captured_ || stuck_) return;
  const std::uint64_t before = changes_;
  lock.unlock();  // a launch of another thread need not wait for it
  core::Drain drain{.begun_ns = clock_()};
  const bool drained = drain_();
  drain.ended_ns = clock_();
  lock.lock();
  stuck_ = stuck_ || !drained;
  if (drained && changes_ == before && !idle_) idle_ = drain;
}

}  // namespace opgate::collect
