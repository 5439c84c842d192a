#include "run/environment.hpp"

#include <boost/test/unit_test.hpp>

#include "device/environment.hpp"
#include "opgate/error.hpp"

using namespace opgate;
using test::Variable;

namespace {

struct Clean {
  Variable require_gpu{"OPGATE_REQUIRE_GPU"};
  Variable require_baseline{"OPGATE_REQUIRE_BASELINE"};
  Variable inconclusive{"OPGATE_INCONCLUSIVE"};
  Variable resource_groups{"OPGATE_RESOURCE_GROUPS"};
  Variable replay{"OPGATE_REPLAY"};
  Variable replay_history{"OPGATE_REPLAY_HISTORY"};
};

std::string refusal() {
  try {
    (void)run::read_environment();
  } catch (const Error& error) {
    BOOST_TEST((error.kind() == ErrorKind::usage));
    return error.what();
  }
  return "accepted";
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(environment, Clean)

BOOST_AUTO_TEST_CASE(nothing_is_required_when_nothing_is_set) {
  const auto environment = run::read_environment();
  BOOST_TEST(!environment.require_gpu);
  BOOST_TEST(!environment.require_baseline);
  BOOST_TEST(!environment.inconclusive_is_warning);
  BOOST_TEST(!environment.resource_groups);
  BOOST_TEST(!environment.replay.has_value());
  BOOST_TEST(!environment.replay_history.has_value());
}

BOOST_AUTO_TEST_CASE(each_variable_sets_its_own_field) {
  {
    const Variable set("OPGATE_REQUIRE_GPU", "1");
    BOOST_TEST(run::read_environment().require_gpu);
    BOOST_TEST(!run::read_environment().require_baseline);
  }
  {
    const Variable set("OPGATE_REQUIRE_BASELINE", "1");
    BOOST_TEST(run::read_environment().require_baseline);
    BOOST_TEST(!run::read_environment().resource_groups);
  }
  {
    const Variable set("OPGATE_RESOURCE_GROUPS", "1");
    BOOST_TEST(run::read_environment().resource_groups);
    BOOST_TEST(!run::read_environment().require_gpu);
  }
  const Variable warn("OPGATE_INCONCLUSIVE", "warn");
  const Variable replay("OPGATE_REPLAY", "/some/traces");
  BOOST_TEST(run::read_environment().inconclusive_is_warning);
  BOOST_TEST(run::read_environment().replay.value() == "/some/traces");
  BOOST_TEST(!run::read_environment().replay_history.has_value());
  const Variable history("OPGATE_REPLAY_HISTORY", "/some/history");
  BOOST_TEST(run::read_environment().replay_history.value() == "/some/history");
}

BOOST_AUTO_TEST_CASE(zero_fail_and_the_empty_word_are_off) {
  const Variable gpu("OPGATE_REQUIRE_GPU", "0");
  const Variable baseline("OPGATE_REQUIRE_BASELINE", "");
  const Variable inconclusive("OPGATE_INCONCLUSIVE", "fail");
  const Variable replay("OPGATE_REPLAY", "");
  const auto environment = run::read_environment();
  BOOST_TEST(!environment.require_gpu);
  BOOST_TEST(!environment.require_baseline);
  BOOST_TEST(!environment.inconclusive_is_warning);
  BOOST_TEST(!environment.replay.has_value());
}

BOOST_AUTO_TEST_CASE(a_word_that_is_not_documented_is_a_usage_error_with_its_fix) {
  for (const char* const name : {"OPGATE_REQUIRE_GPU", "OPGATE_REQUIRE_BASELINE", "OPGATE_RESOURCE_GROUPS"}) {
    for (const char* const word : {"yes", "true", "2", " 1"}) {
      const Variable set(name, word);
      const std::string expected =
          std::string(name) + ": unknown value \"" + word + "\"\n  fix: set it to 1 or 0, or unset it";
      BOOST_TEST(refusal() == expected);
    }
  }
  const Variable set("OPGATE_INCONCLUSIVE", "warning");
  BOOST_TEST(refusal() == "OPGATE_INCONCLUSIVE: unknown value \"warning\"\n  fix: set it to warn or fail, or unset it");
}

BOOST_AUTO_TEST_SUITE_END()
