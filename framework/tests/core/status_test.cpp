#include <boost/test/unit_test.hpp>
#include <string>

#include "core/result.hpp"
#include "core/verdict.hpp"

using namespace opgate;
using namespace opgate::core;

BOOST_AUTO_TEST_SUITE(status)

BOOST_AUTO_TEST_CASE(every_status_survives_its_text) {
  for (const Status value :
       {Status::measured, Status::untrusted, Status::failed, Status::wrong, Status::skipped, Status::running}) {
    BOOST_TEST((parse_status(to_string(value)) == value));
  }
  BOOST_TEST(to_string(Status::untrusted) == std::string("untrusted"));
}

BOOST_AUTO_TEST_CASE(another_word_is_a_history_error) {
  BOOST_CHECK_EXCEPTION((void)parse_status("great"), Error, [](const Error& error) {
    return error.kind() == ErrorKind::history && error.summary().find("great") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(verdicts_and_metrics_are_spelt_as_scripts_see_them) {
  BOOST_TEST(to_string(Verdict::pass) == std::string("pass"));
  BOOST_TEST(to_string(Verdict::regressed) == std::string("regressed"));
  BOOST_TEST(to_string(Verdict::improved) == std::string("improved"));
  BOOST_TEST(to_string(Verdict::inconclusive) == std::string("inconclusive"));
  BOOST_TEST(to_string(Verdict::no_baseline) == std::string("no-baseline"));
  BOOST_TEST(to_string(Verdict::not_comparable) == std::string("not-comparable"));
  BOOST_TEST(to_string(Metric::time) == std::string("time"));
  BOOST_TEST(to_string(Metric::cycles) == std::string("cycles"));
}

BOOST_AUTO_TEST_SUITE_END()
