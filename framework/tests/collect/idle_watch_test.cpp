#include "collect/idle_watch.hpp"

#include <boost/test/unit_test.hpp>
#include <functional>
#include <stdexcept>

using opgate::collect::ApiEffect;
using opgate::collect::IdleWatch;
using opgate::core::Drain;

namespace {

// A clock that ticks at every look, so that each drain can be told by its times: 1-2, 3-4, ...
struct Watched {
  explicit Watched(int iterations = 1) { watch.begin(iterations); }
  void call(ApiEffect effect) {
    watch.enter(effect);
    watch.leave(effect);
  }
  // One labelled call of these CUDA calls.
  std::optional<Drain> drain_of(std::initializer_list<ApiEffect> calls) {
    watch.open(0);
    for (const ApiEffect effect : calls) call(effect);
    watch.close();
    return watch.end().at(0);
  }

  int drains = 0;
  std::int64_t time_ns = 0;
  bool well = true;
  std::function<void()> meanwhile = [] {};
  IdleWatch watch{[this] {
                    ++drains;
                    meanwhile();
                    return well;
                  },
                  [this] { return ++time_ns; }};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(idle_watch)

BOOST_AUTO_TEST_CASE(the_first_drain_after_the_last_launch_counts) {
  using enum ApiEffect;
  BOOST_TEST((Watched().drain_of({works, waits}) == Drain{1, 2}));
  BOOST_TEST((Watched().drain_of({works, waits, none, waits}) == Drain{1, 2}));
  BOOST_TEST((Watched().drain_of({works, waits, works, waits}) == Drain{3, 4}));
  BOOST_TEST((Watched().drain_of({waits}) == Drain{1, 2}));  // of what a thread launched before
  BOOST_TEST(!Watched().drain_of({works, waits, works}));
  BOOST_TEST(!Watched().drain_of({works, none}));
  Watched once;
  (void)once.drain_of({works, waits, waits, waits});
  BOOST_TEST(once.drains == 1);
}

BOOST_AUTO_TEST_CASE(a_copy_that_waits_is_drained_when_it_is_over) {
  Watched watched;
  watched.watch.open(0);
  watched.call(ApiEffect::waits);
  watched.watch.enter(ApiEffect::copies);
  BOOST_TEST(watched.drains == 1);
  watched.watch.leave(ApiEffect::copies);
  BOOST_TEST(watched.drains == 2);
  watched.watch.close();
  BOOST_TEST((watched.watch.end().at(0) == Drain{3, 4}));
}

BOOST_AUTO_TEST_CASE(a_drain_comes_before_the_call_does_its_own_part) {
  Watched watched;
  watched.watch.open(0);
  watched.watch.enter(ApiEffect::waits);
  BOOST_TEST(watched.drains == 1);
  watched.watch.leave(ApiEffect::waits);
  BOOST_TEST(watched.drains == 1);
}

BOOST_AUTO_TEST_CASE(what_is_launched_during_a_drain_may_not_have_been_waited_for) {
  for (const bool leaves : {false, true}) {
    Watched watched;
    watched.meanwhile = [&] { leaves ? watched.watch.leave(ApiEffect::works) : watched.watch.enter(ApiEffect::works); };
    BOOST_TEST(!watched.drain_of({ApiEffect::waits}));
  }
  Watched next;  // nor may a drain that ends in the next call
  next.meanwhile = [&] {
    next.watch.close();
    next.watch.open(0);
  };
  BOOST_TEST(!next.drain_of({ApiEffect::waits}));
}

BOOST_AUTO_TEST_CASE(nothing_is_drained_once_a_capture_began) {
  using enum ApiEffect;
  Watched watched;
  BOOST_TEST(!watched.drain_of({works, captures, waits}));
  BOOST_TEST(watched.drains == 0);
  BOOST_TEST(!Watched().drain_of({works, waits, captures}));
  Watched two(2);
  for (std::uint32_t i = 0; i < 2; ++i) {
    two.watch.open(i);
    if (i == 0) two.call(captures);
    two.call(waits);
    two.watch.close();
  }
  const auto drains = two.watch.end();
  BOOST_TEST(!drains.at(0));
  BOOST_TEST(drains.at(1).has_value());
}

BOOST_AUTO_TEST_CASE(a_device_that_could_not_be_drained_is_left_alone_for_the_rest_of_the_phase) {
  Watched watched(2);
  watched.well = false;
  for (std::uint32_t i = 0; i < 2; ++i) {
    watched.watch.open(i);
    watched.call(ApiEffect::waits);
    watched.call(ApiEffect::waits);
    watched.watch.close();
  }
  BOOST_TEST(watched.drains == 1);
  const auto drains = watched.watch.end();
  BOOST_TEST(!drains.at(0));
  BOOST_TEST(!drains.at(1));
  watched.well = true;
  watched.watch.begin(1);
  BOOST_TEST(watched.drain_of({ApiEffect::waits}).has_value());
}

BOOST_AUTO_TEST_CASE(calls_outside_the_iterations_are_not_drained) {
  Watched watched;
  watched.call(ApiEffect::waits);  // flush, probes
  watched.watch.open(1);           // beyond the phase
  watched.call(ApiEffect::waits);
  watched.watch.close();
  watched.call(ApiEffect::copies);
  BOOST_TEST(watched.drains == 0);
  BOOST_TEST(!watched.watch.end().at(0));
  watched.watch.open(0);  // the phase is over
  watched.call(ApiEffect::waits);
  BOOST_TEST(watched.drains == 0);
}

BOOST_AUTO_TEST_CASE(a_clock_that_fails_leaves_the_watch_usable) {
  bool fails = true;
  IdleWatch watch([] { return true; },
                  [&] {
                    if (fails) throw std::runtime_error("no clock");
                    return std::int64_t{7};
                  });
  watch.begin(1);
  watch.open(0);
  BOOST_CHECK_THROW(watch.enter(ApiEffect::waits), std::runtime_error);
  fails = false;
  watch.enter(ApiEffect::waits);
  watch.close();
  BOOST_TEST((watch.end().at(0) == Drain{7, 7}));
}

BOOST_AUTO_TEST_SUITE_END()
