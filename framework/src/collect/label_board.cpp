#include "collect/label_board.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>

namespace opgate::collect {
namespace {

Error wrong_scope(const std::string& what, const char* remedy) {
  return {ErrorKind::attribution, what, "labels", remedy};
}

}  // namespace

std::int32_t LabelBoard::this_thread() {
  return static_cast<std::int32_t>(::gettid());
}

LabelBoard::Thread& LabelBoard::here() {
  Thread& thread = threads_.try_emplace(this_thread(), push_, pop_, generation_).first->second;
  if (thread.generation != generation_) {
    thread.stack.drain();
    thread.carried.clear();
    thread.generation = generation_;
  }
  return thread;
}

std::vector<LabelBoard::OpenCall>::iterator LabelBoard::find(const CallLabel& label) {
  return std::find_if(open_.begin(), open_.end(),
                      [&](const OpenCall& call) { return call.label.call_ == label.call_; });
}

void LabelBoard::note(Error fault) {
  if (!fault_) fault_ = std::move(fault);
}

void LabelBoard::throw_fault() {
  if (fault_) throw *std::exchange(fault_, std::nullopt);
}

void LabelBoard::open(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  throw_fault();
  Thread& thread = here();
  thread.stack.push(id);
  const CallLabel label(++calls_, id);
  thread.carried.push_back(label);
  open_.push_back({label, {}});
}

void LabelBoard::close(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  Thread& thread = here();
  try {
    thread.stack.pop(id);
  } catch (const Error& error) {
    note(error);
  }
  if (!thread.carried.empty()) {
    const auto call = find(thread.carried.back());
    thread.carried.pop_back();
    if (call != open_.end()) {
      if (!call->carriers.empty()) {
        note(wrong_scope(
            fmt::format("the call returned while a LabelScope of it was open on thread {}", call->carriers.front()),
            "end every LabelScope before the call returns: wait until the worker has left its scope"));
      }
      open_.erase(call);
    }
  }
  throw_fault();
}

void LabelBoard::check() {
  const std::lock_guard lock(mutex_);
  throw_fault();
}

void LabelBoard::abandon() noexcept {
  const std::lock_guard lock(mutex_);
  open_.clear();
  fault_.reset();
  ++generation_;
  here();
}

CallLabel LabelBoard::current() {
  const std::lock_guard lock(mutex_);
  const auto thread = threads_.find(this_thread());
  const bool carries =
      thread != threads_.end() && thread->second.generation == generation_ && !thread->second.carried.empty();
  return carries ? thread->second.carried.back() : CallLabel();
}

bool LabelBoard::enter(const CallLabel& label) noexcept {
  if (!label) return false;
  const std::lock_guard lock(mutex_);
  const auto call = find(label);
  if (call == open_.end()) {
    note(wrong_scope(fmt::format("thread {} made a LabelScope from the label of a call that had ended", this_thread()),
                     "take the label anew in every call, with opgate::current_label()"));
    return false;
  }
  try {
    Thread& thread = here();
    thread.stack.push(label.id_);
    thread.carried.push_back(label);
    call->carriers.push_back(this_thread());
  } catch (const Error& error) {
    note(error);
    return false;
  }
  return true;
}

void LabelBoard::leave(const CallLabel& label, std::int32_t entered_on) noexcept {
  const std::lock_guard lock(mutex_);
  if (this_thread() != entered_on) {
    note(wrong_scope(
        fmt::format("a LabelScope of thread {} was ended on thread {}, which cannot take the label off the first",
                    entered_on, this_thread()),
        "make the LabelScope a local variable of the thread that launches"));
    return;
  }
  Thread& thread = here();
  if (thread.carried.empty()) return;  // the phase was abandoned meanwhile
  try {
    thread.stack.pop(label.id_);
  } catch (const Error& error) {
    note(error);
  }
  thread.carried.pop_back();
  if (const auto call = find(label); call != open_.end()) {
    call->carriers.erase(std::find(call->carriers.begin(), call->carriers.end(), entered_on));
  }
  if (thread.carried.empty()) threads_.erase(entered_on);
}

}  // namespace opgate::collect
