#include "collect/label_board.hpp"

#include <boost/test/unit_test.hpp>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "opgate/label.hpp"

using opgate::CallLabel;
using opgate::current_label;
using opgate::Error;
using opgate::ErrorKind;
using opgate::LabelScope;
using opgate::collect::LabelBoard;
using opgate::collect::serve_labels;

namespace {

// One real stack per thread, as CUPTI keeps them.
class RealStacks {
 public:
  void push(std::uint64_t id) {
    const std::lock_guard lock(mutex_);
    stacks_[LabelBoard::this_thread()].push_back(id);
  }
  std::optional<std::uint64_t> pop() {
    const std::lock_guard lock(mutex_);
    std::vector<std::uint64_t>& stack = stacks_[LabelBoard::this_thread()];
    if (stack.empty()) return std::nullopt;
    const std::uint64_t id = stack.back();
    stack.pop_back();
    return id;
  }
  std::vector<std::uint64_t> here() {
    const std::lock_guard lock(mutex_);
    return stacks_[LabelBoard::this_thread()];
  }
  bool all_empty() {
    const std::lock_guard lock(mutex_);
    for (const auto& [thread, stack] : stacks_) {
      if (!stack.empty()) return false;
    }
    return true;
  }

 private:
  std::mutex mutex_;
  std::map<std::int32_t, std::vector<std::uint64_t>> stacks_;
};

struct Fixture {
  RealStacks real;
  LabelBoard board{[this](std::uint64_t id) { real.push(id); }, [this] { return real.pop(); }};
  Fixture() { serve_labels(&board); }
  Fixture(const Fixture&) = delete;
  Fixture& operator=(const Fixture&) = delete;
  ~Fixture() { serve_labels(nullptr); }

  template <class Step>
  void fails(const char* reason, const Step& step) {
    BOOST_CHECK_EXCEPTION(step(), Error, [&](const Error& error) {
      BOOST_TEST_MESSAGE(error.what());
      return error.kind() == ErrorKind::attribution && std::string(error.what()).find(reason) != std::string::npos &&
             !error.remedy().empty();
    });
  }
};

// Runs a step on a thread of its own and waits for it.
template <class Step>
void elsewhere(const Step& step) {
  std::thread(step).join();
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(label_board, Fixture)

BOOST_AUTO_TEST_CASE(eight_threads_carry_the_label_of_the_call) {
  for (const std::uint64_t id : {41U, 42U}) {
    board.open(id);
    const CallLabel label = current_label();
    BOOST_TEST(static_cast<bool>(label));
    std::vector<std::thread> workers;
    std::vector<std::vector<std::uint64_t>> seen(8);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      workers.emplace_back([&, i] {
        const LabelScope scope(label);
        seen[i] = real.here();
      });
    }
    for (std::thread& worker : workers) worker.join();
    board.close(id);
    for (const auto& stack : seen)
      BOOST_TEST(stack == std::vector<std::uint64_t>{id}, boost::test_tools::per_element());
    BOOST_TEST(real.all_empty());
  }
}

BOOST_AUTO_TEST_CASE(a_worker_hands_the_label_on) {
  board.open(7);
  const CallLabel label = current_label();
  elsewhere([&] {
    const LabelScope scope(label);
    const CallLabel handed = current_label();
    elsewhere([&] {
      const LabelScope inner(handed);
      BOOST_TEST(real.here() == std::vector<std::uint64_t>{7}, boost::test_tools::per_element());
    });
  });
  board.close(7);
  BOOST_TEST(real.all_empty());
}

BOOST_AUTO_TEST_CASE(the_thread_of_the_call_may_carry_it_too) {
  board.open(7);
  {
    const LabelScope scope(current_label());
    const LabelScope again(current_label());
  }
  board.close(7);
  BOOST_TEST(real.all_empty());
}

BOOST_AUTO_TEST_CASE(where_nothing_is_measured_nothing_happens) {
  const auto harmless = [&] {
    const CallLabel label = current_label();
    BOOST_TEST(!label);
    elsewhere([&] { const LabelScope scope(label); });
  };
  harmless();  // no call is open
  serve_labels(nullptr);
  harmless();  // nobody labels
  serve_labels(&board);
  board.check();
  BOOST_TEST(real.all_empty());
}

BOOST_AUTO_TEST_CASE(a_thread_without_the_label_has_none_to_give) {
  board.open(7);
  elsewhere([] { BOOST_TEST(!current_label()); });
  board.close(7);
}

BOOST_AUTO_TEST_CASE(a_scope_left_open_fails_the_call) {
  board.open(7);
  std::unique_ptr<LabelScope> left;
  const CallLabel label = current_label();
  std::int32_t thread = 0;
  elsewhere([&] {
    thread = LabelBoard::this_thread();
    left = std::make_unique<LabelScope>(label);
  });
  fails(("was open on thread " + std::to_string(thread)).c_str(), [&] { board.close(7); });
  board.abandon();
}

BOOST_AUTO_TEST_CASE(a_scope_left_open_on_the_thread_of_the_call_fails_it) {
  board.open(7);
  auto left = std::make_unique<LabelScope>(current_label());
  fails("was open on thread", [&] { board.close(7); });
  board.abandon();
  left.reset();
  BOOST_TEST(real.all_empty());
  board.open(8);
  board.close(8);
}

BOOST_AUTO_TEST_CASE(a_scope_ended_on_another_thread_fails_the_call) {
  board.open(7);
  auto scope = std::make_unique<LabelScope>(current_label());
  elsewhere([&] { scope.reset(); });
  fails("was ended on thread", [&] { board.close(7); });
  board.abandon();
  BOOST_TEST(real.all_empty());
}

BOOST_AUTO_TEST_CASE(a_label_does_not_outlive_its_call) {
  board.open(7);
  const CallLabel old = current_label();
  board.close(7);
  board.open(7);  // even when the next call carries the same id
  elsewhere([&] {
    const LabelScope scope(old);
    BOOST_TEST(real.here().empty());
  });
  fails("a call that had ended", [&] { board.close(7); });
  board.abandon();
}

BOOST_AUTO_TEST_CASE(what_happened_after_the_last_call_is_told_as_well) {
  board.open(7);
  const CallLabel old = current_label();
  board.close(7);
  elsewhere([&] { const LabelScope scope(old); });
  fails("a call that had ended", [&] { board.check(); });
  board.check();  // once
}

BOOST_AUTO_TEST_CASE(an_id_that_a_worker_leaves_behind_fails_the_call) {
  board.open(7);
  const CallLabel label = current_label();
  elsewhere([&] {
    const LabelScope scope(label);
    real.push(50);
  });
  fails("without popping", [&] { board.close(7); });
  board.abandon();
}

BOOST_AUTO_TEST_CASE(nothing_stays_labelled_after_an_abandoned_phase) {
  board.open(7);
  const CallLabel label = current_label();
  std::promise<void> entered, leave;
  std::thread worker([&] {
    auto left = std::make_unique<LabelScope>(label);
    entered.set_value();
    leave.get_future().wait();
    left.reset();
  });
  entered.get_future().wait();
  board.abandon();  // the op threw
  BOOST_TEST(!current_label());
  BOOST_TEST(real.here().empty());
  leave.set_value();
  worker.join();
  BOOST_TEST(real.all_empty());
  board.open(8);
  board.close(8);
}

BOOST_AUTO_TEST_SUITE_END()
