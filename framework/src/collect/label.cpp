#include "opgate/label.hpp"

#include <atomic>

#include "collect/label_board.hpp"

namespace opgate {
namespace {

std::atomic<collect::LabelBoard*>& served() {
  static std::atomic<collect::LabelBoard*> board{nullptr};
  return board;
}

}  // namespace

namespace collect {

void serve_labels(LabelBoard* board) noexcept {
  served().store(board);
}

}  // namespace collect

CallLabel current_label() {
  collect::LabelBoard* const board = served().load();
  return board == nullptr ? CallLabel() : board->current();
}

LabelScope::LabelScope(const CallLabel& label) noexcept {
  collect::LabelBoard* const board = served().load();
  if (board == nullptr || !board->enter(label)) {
    return;
  }
  label_ = label;
  thread_ = collect::LabelBoard::this_thread();
}

LabelScope::~LabelScope() {
  if (collect::LabelBoard* const board = served().load(); board != nullptr && label_) {
    board->leave(label_, thread_);
  }
}

}  // namespace opgate
