#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "collect/label_stack.hpp"
#include "opgate/error.hpp"
#include "opgate/label.hpp"

namespace opgate::collect {

// Which calls are open and which threads carry their labels, above the id stacks that CUPTI keeps per thread. The
// measuring thread opens and closes calls; threads of the op enter and leave. What they do wrong is kept until the
// measuring thread asks, because an exception in a thread of the op would end the process.
class LabelBoard {
 public:
  // On the calling thread's real stack.
  LabelBoard(LabelStack::Push push, LabelStack::Pop pop) : push_(std::move(push)), pop_(std::move(pop)) {}

  // Error(attribution) also for what threads did wrong before.
  void open(std::uint64_t id);
  void close(std::uint64_t id);
  void check();
  // Every call ends, nothing is kept against anybody. Stacks of other threads are emptied when these next come by.
  void abandon() noexcept;

  [[nodiscard]] CallLabel current();
  // Whether the calling thread carries the label now; only then it has to leave.
  [[nodiscard]] bool enter(const CallLabel& label) noexcept;
  void leave(const CallLabel& label, std::int32_t entered_on) noexcept;

  [[nodiscard]] static std::int32_t this_thread();  // as the system knows it

 private:
  struct OpenCall {
    CallLabel label;
    std::vector<std::int32_t> carriers;  // threads inside a LabelScope, once per scope
  };
  struct Thread {
    Thread(const LabelStack::Push& push, const LabelStack::Pop& pop, std::uint64_t now)
        : stack(push, pop), generation(now) {}
    LabelStack stack;
    std::vector<CallLabel> carried;  // innermost last
    std::uint64_t generation;
  };

  Thread& here();
  [[nodiscard]] std::vector<OpenCall>::iterator find(const CallLabel& label);
  void note(Error fault);
  void throw_fault();

  LabelStack::Push push_;
  LabelStack::Pop pop_;
  std::mutex mutex_;
  std::vector<OpenCall> open_;
  std::map<std::int32_t, Thread> threads_;
  std::optional<Error> fault_;  // the first
  std::uint64_t calls_ = 0;
  std::uint64_t generation_ = 0;  // grows when a phase is abandoned
};

// The board behind opgate::current_label() and opgate::LabelScope; nullptr: nothing is labelled.
void serve_labels(LabelBoard* board) noexcept;

}  // namespace opgate::collect
