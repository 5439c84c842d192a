#include "core/waiver.hpp"

#include <boost/test/unit_test.hpp>

#include "run_builder.hpp"

using namespace opgate;
using namespace opgate::core;

BOOST_AUTO_TEST_SUITE(waiver)

namespace {

const Waiver kWaiver{"gemm.square.bf16", "", "Ada", "waits for the new compiler", "2026-06-30"};

Judgement regressed() {
  return judged(steady_baseline(), run_of(105'000));
}

}  // namespace

BOOST_AUTO_TEST_CASE(days_are_days_that_exist) {
  for (const char* good : {"2026-12-31", "2024-02-29", "0001-01-01"}) BOOST_TEST(is_date(good), good);
  for (const char* bad : {"", "2026-13-01", "2026-02-29", "2026-1-1", "2026/01/01", "2026-01-1 ", "26-01-01",
                          "2026-01-+1", "2026-00-10", "2026-04-31", "2026-01-011"}) {
    BOOST_TEST(!is_date(bad), bad);
  }
}

BOOST_AUTO_TEST_CASE(a_moment_has_a_day) {
  BOOST_TEST(date_of(0) == "1970-01-01");
  BOOST_TEST(date_of(1'782'863'999'999) == "2026-06-30");
  BOOST_TEST(date_of(1'782'864'000'000) == "2026-07-01");
}

BOOST_AUTO_TEST_CASE(the_last_day_is_included) {
  BOOST_TEST(in_force(kWaiver, "2026-06-30"));
  BOOST_TEST(!in_force(kWaiver, "2026-07-01"));
}

BOOST_AUTO_TEST_CASE(a_waived_regression_keeps_its_verdict_and_is_not_red) {
  const Judgement judgement = waive(regressed(), kWaiver, "2026-06-01");
  OPGATE_CHECK_VERDICT(judgement, Verdict::regressed);
  BOOST_TEST((judgement.waiver == kWaiver));
  BOOST_TEST((exit_code_of(judgement, true, false) == ExitCode::pass));
}

BOOST_AUTO_TEST_CASE(an_expired_waiver_is_red_again_and_says_so) {
  const Judgement judgement = waive(regressed(), kWaiver, "2026-07-01");
  BOOST_TEST(!judgement.waiver.has_value());
  BOOST_TEST((exit_code_of(judgement, true, false) == ExitCode::regression));
  BOOST_TEST(any_says(judgement.notes, "the waiver of Ada ended on 2026-06-30"));
}

BOOST_AUTO_TEST_CASE(only_a_regression_or_a_doubt_of_one_is_waived) {
  const Judgement passed = waive(judged(steady_baseline(), run_of(100'000)), kWaiver, "2026-06-01");
  BOOST_TEST(!passed.waiver.has_value());
  const Judgement first = waive(judge(std::nullopt, run_of(100'000), std::nullopt, {}), kWaiver, "2026-06-01");
  BOOST_TEST((exit_code_of(first, true, false) == ExitCode::no_baseline));
  Judgement doubt = regressed();
  doubt.verdict = Verdict::inconclusive;
  BOOST_TEST((exit_code_of(waive(doubt, kWaiver, "2026-06-01"), true, false) == ExitCode::pass));
  BOOST_TEST((exit_code_of(waive(doubt, std::nullopt, "2026-06-01"), true, false) == ExitCode::inconclusive));
}

BOOST_AUTO_TEST_SUITE_END()
