#include "collect/label_stack.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "opgate/error.hpp"

using opgate::Error;
using opgate::ErrorKind;
using opgate::collect::LabelStack;

namespace {

// The real stack, which the call may touch as well.
struct Fixture {
  std::vector<std::uint64_t> real;
  LabelStack labels{[this](std::uint64_t id) { real.push_back(id); },
                    [this]() -> std::optional<std::uint64_t> {
                      if (real.empty()) return std::nullopt;
                      const std::uint64_t id = real.back();
                      real.pop_back();
                      return id;
                    }};

  // The step fails for `reason`, and leaves nothing labelled.
  template <class Step>
  void fails(const char* reason, const Step& step) {
    BOOST_CHECK_EXCEPTION(step(), Error, [&](const Error& error) {
      BOOST_TEST_MESSAGE(error.what());
      return error.kind() == ErrorKind::attribution && std::string(error.what()).find(reason) != std::string::npos &&
             std::string(error.what()).find("CUSTOM0") != std::string::npos;
    });
    BOOST_TEST(real.empty());
    labels.push(77);
    BOOST_TEST(real.size() == 1U);
    labels.pop(77);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(label_stack, Fixture)

BOOST_AUTO_TEST_CASE(balanced_calls_pass) {
  labels.push(1);
  real.push_back(50);  // the call pushes
  real.pop_back();     // and pops
  labels.push(2);
  labels.pop(2);
  labels.pop(1);
  BOOST_TEST(real.empty());
}

BOOST_AUTO_TEST_CASE(an_id_left_above_ours_is_reported) {
  labels.push(1);
  real.push_back(50);
  fails("without popping", [this] { labels.pop(1); });
}

BOOST_AUTO_TEST_CASE(popping_ours_is_reported) {
  labels.push(1);
  real.pop_back();
  fails("once too often", [this] { labels.pop(1); });
}

BOOST_AUTO_TEST_CASE(popping_ours_inside_another_label_is_reported) {
  labels.push(1);
  labels.push(2);
  real.pop_back();
  fails("once too often", [this] { labels.pop(2); });
}

BOOST_AUTO_TEST_CASE(an_id_left_before_the_first_label_is_reported) {
  real.push_back(50);
  fails("without popping", [this] { labels.push(1); });
}

BOOST_AUTO_TEST_CASE(an_id_slipped_below_ours_is_reported) {
  labels.push(1);
  real.insert(real.begin(), 50);
  fails("without popping", [this] { labels.pop(1); });
}

BOOST_AUTO_TEST_CASE(draining_empties_both_stacks) {
  labels.push(1);
  real.push_back(50);
  labels.drain();
  BOOST_TEST(real.empty());
  labels.push(2);
  labels.pop(2);
}

BOOST_AUTO_TEST_SUITE_END()
