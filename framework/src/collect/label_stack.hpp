#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace opgate::collect {

// The external ids that opgate has pushed on one thread, checked against the real stack below them: a call that leaves
// the stack as it should not be would label the next iteration's kernels wrongly.
class LabelStack {
 public:
  // Pushes on the real stack; pops from it, or nothing when it is empty.
  using Push = std::function<void(std::uint64_t)>;
  using Pop = std::function<std::optional<std::uint64_t>()>;
  LabelStack(Push push, Pop pop) : push_(std::move(push)), pop_(std::move(pop)) {}

  // Error(attribution) when someone else's id lies where ours must be on top; the real stack is empty afterwards.
  void push(std::uint64_t id);
  void pop(std::uint64_t expected);
  // Empties both.
  void drain();

 private:
  [[noreturn]] void unbalanced(const char* what);
  Push push_;
  Pop pop_;
  std::vector<std::uint64_t> ours_;
};

}  // namespace opgate::collect
