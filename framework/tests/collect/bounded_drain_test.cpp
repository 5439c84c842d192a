#include "collect/bounded_drain.hpp"

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <thread>

using opgate::collect::BoundedDrain;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(bounded_drain)

BOOST_AUTO_TEST_CASE(whoever_asks_waits_until_a_drain_of_another_thread_is_over) {
  for (const bool attentive : {false, true}) {
    std::atomic<int> drains = 0;
    std::atomic<bool> elsewhere = false;
    BoundedDrain drain([&] {
      elsewhere = BoundedDrain::is_this_thread();
      ++drains;
    });
    drain.attend(attentive);
    BOOST_TEST(drain.wait(1h));
    BOOST_TEST(drain.wait(1h));
    BOOST_TEST(drains == 2);
    BOOST_TEST(elsewhere);
    BOOST_TEST(!BoundedDrain::is_this_thread());
    drain.attend(!attentive);
    BOOST_TEST(drain.wait(1h));
    BOOST_TEST(drains == 3);
  }
}

BOOST_AUTO_TEST_CASE(a_drain_that_does_not_end_holds_nobody_beyond_the_limit) {
  std::promise<void> let_go;
  auto begun = std::make_shared<std::promise<void>>();
  auto gone = std::make_shared<std::promise<void>>();
  std::future<void> is_gone = gone->get_future();
  {
    BoundedDrain drain([wait_for = let_go.get_future().share(), begun, gone] {
      begun->set_value();
      wait_for.wait();
      gone->set_value();
    });
    BOOST_TEST(!drain.wait(1ms));
    BOOST_TEST(!drain.wait(0ms));
    begun->get_future().wait();  // a thread that had not begun would not begin any more
  }
  let_go.set_value();
  is_gone.wait();  // the thread outlives the object, and ends
}

BOOST_AUTO_TEST_CASE(a_drain_that_began_before_the_question_answers_it_not) {
  std::atomic<int> drains = 0;
  BoundedDrain drain([&] {
    if (drains == 0) static_cast<void>(drain.wait(0ms));  // the only moment at which a drain is surely under way
    ++drains;
  });
  BOOST_TEST(drain.wait(1h));
  while (drains < 2) std::this_thread::yield();  // for ever, if the first drain answered both
  BOOST_TEST(drains == 2);
}

BOOST_AUTO_TEST_CASE(a_drain_that_fails_is_none_and_the_next_may_be_one) {
  std::atomic<bool> fails = true;
  BoundedDrain drain([&] {
    if (fails) throw std::runtime_error("cudaErrorIllegalAddress");
  });
  BOOST_TEST(!drain.wait(1h));
  fails = false;
  BOOST_TEST(drain.wait(1h));
}

BOOST_AUTO_TEST_SUITE_END()
