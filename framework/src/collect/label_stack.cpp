#include "collect/label_stack.hpp"

#include <utility>

#include "opgate/error.hpp"

namespace opgate::collect {
namespace {

// More ids than this on one stack means that popping does not empty it.
constexpr int kMostIds = 1 << 20;

}  // namespace

void LabelStack::push(std::uint64_t id) {
  // Only an empty stack of ours must lie on an empty real one; below that, pop() checks level by level.
  if (ours_.empty() && pop_()) {
    unbalanced("left an id on the CUSTOM2 stack that it pushed without popping");
  }
  push_(id);
  ours_.push_back(id);
}

void LabelStack::pop(std::uint64_t expected) {
  if (ours_.empty() || ours_.back() != expected) {
    unbalanced("was labelled with another id than the one to be popped");
  }
  const std::optional<std::uint64_t> top = pop_();
  if (!top) unbalanced("popped the CUSTOM2 stack once too often");
  if (*top != expected) {
    // Our own lower label on top means that ours above it was popped; any other id was pushed by the call.
    const bool lower_one = ours_.size() > 1 && *top == ours_[ours_.size() - 2];
    unbalanced(lower_one ? "popped the CUSTOM2 stack once too often"
                         : "pushed an id on the CUSTOM2 stack without popping it");
  }
  ours_.pop_back();
  if (ours_.empty() && pop_()) unbalanced("left an id on the CUSTOM2 stack that it pushed without popping");
}

void LabelStack::drain() {
  ours_.clear();
  for (int i = 0; i < kMostIds && pop_(); ++i) {
  }
}

void LabelStack::unbalanced(const char* what) {
  drain();
  throw Error(ErrorKind::attribution, std::string("the call ") + what, "external ids",
              "pop every id that the call pushes, or use CUSTOM0 or CUSTOM1; CUSTOM2 is opgate's");
}

}  // namespace opgate::collect
