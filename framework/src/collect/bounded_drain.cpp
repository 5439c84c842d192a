#include "collect/bounded_drain.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>

namespace opgate::collect {
namespace {

thread_local bool drains = false;

}  // namespace

struct BoundedDrain::State {
  explicit State(std::function<void()> drain_devices) : drain(std::move(drain_devices)) {}
  [[nodiscard]] bool is_asked() const { return stop.load() || asked.load() > done.load(); }

  std::function<void()> drain;
  std::atomic<std::uint64_t> asked{0};  // the newest question
  std::atomic<std::uint64_t> done{0};   // the newest that a drain answered
  std::atomic<std::uint64_t> well{0};   // and answered well
  std::atomic<bool> attentive{false};
  std::atomic<bool> stop{false};
  std::mutex mutex;  // of what the sleeping thread is woken for
  std::condition_variable woken;
};

BoundedDrain::BoundedDrain(std::function<void()> drain) : state_(std::make_shared<State>(std::move(drain))) {
  std::thread([state = state_] { serve(state); }).detach();
}

BoundedDrain::~BoundedDrain() {
  state_->stop.store(true);
  const std::scoped_lock lock(state_->mutex);
  state_->woken.notify_one();
}

void BoundedDrain::serve(const std::shared_ptr<State>& state) {
  drains = true;
  for (;;) {
    {
      std::unique_lock lock(state->mutex);
      state->woken.wait(lock, [&] { return state->attentive.load() || state->is_asked(); });
    }
    while (state->attentive.load() && !state->is_asked()) std::this_thread::yield();
    if (state->stop.load()) return;
    if (!state->is_asked()) continue;
    const std::uint64_t question = state->asked.load();
    bool well = true;
    try {
      state->drain();
    } catch (...) {
      well = false;  // the device's errors are told to the thread of the op, by its own next call
    }
    if (well) state->well.store(question);
    state->done.store(question);
  }
}

void BoundedDrain::attend(bool wanted) {
  const std::scoped_lock lock(state_->mutex);
  state_->attentive.store(wanted);
  state_->woken.notify_one();
}

bool BoundedDrain::wait(std::chrono::nanoseconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  const std::uint64_t question = ++state_->asked;
  if (!state_->attentive.load()) {
    const std::scoped_lock lock(state_->mutex);
    state_->woken.notify_one();
  }
  while (state_->done.load() < question && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  return state_->well.load() >= question;
}

bool BoundedDrain::is_this_thread() noexcept {
  return drains;
}

}  // namespace opgate::collect
