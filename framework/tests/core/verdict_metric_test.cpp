#include <boost/test/unit_test.hpp>

#include "run_builder.hpp"

using namespace opgate;
using namespace opgate::core;

BOOST_AUTO_TEST_SUITE(verdict_metric)

namespace {

// A compute-bound case whose clock wanders: time varies by 2 %, cycles do not.
CaseBaseline throttled_baseline() {
  std::vector<CaseRun> runs;
  for (const std::int32_t mhz : {1600, 1620, 1640, 1660, 1680}) {
    runs.push_back(run_of(100'000LL * 2000 / mhz, mhz));
  }
  return summarise(runs);
}

// Time and cycles alike, without noise.
CaseBaseline clocked_baseline() {
  return summarise(runs_of({100'000, 100'000, 100'000, 100'000, 100'000}, 2000));
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_metric_with_less_baseline_noise_decides) {
  const Judgement slower = judged(throttled_baseline(), run_of(126'000, 1640));
  BOOST_TEST((slower.metric == Metric::cycles));
  OPGATE_CHECK_VERDICT(slower, Verdict::regressed);
  BOOST_TEST(slower.baseline_ns.value() == 100'000, boost::test_tools::tolerance(1e-4));
  BOOST_TEST(slower.measured_ns.value() == 126'000 * 0.82, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(slower.reason.find("clock-corrected") != std::string::npos, slower.reason);
  // The same time at a lower clock is the same work.
  OPGATE_CHECK_VERDICT(judged(throttled_baseline(), run_of(126'000, 1587)), Verdict::pass);
}

BOOST_AUTO_TEST_CASE(equal_noise_leaves_it_to_time) {
  BOOST_TEST((judged(clocked_baseline(), run_of(100'000, 2000)).metric == Metric::time));
}

BOOST_AUTO_TEST_CASE(a_run_without_clocks_is_judged_in_time) {
  CaseRun run = run_of(122'000, 1640);
  run.samples[3].sm_mhz.reset();
  BOOST_TEST((judged(throttled_baseline(), run).metric == Metric::time));
}

BOOST_AUTO_TEST_CASE(a_baseline_run_without_clocks_leaves_only_time) {
  std::vector<CaseRun> runs = runs_of({100'000, 101'000, 100'000, 99'000, 100'000}, 2000);
  runs.push_back(run_of(100'000));
  const CaseBaseline baseline = summarise(runs);
  BOOST_TEST(!baseline.model.cycles.has_value());
  BOOST_TEST((judged(baseline, run_of(100'000, 2000)).metric == Metric::time));
}

BOOST_AUTO_TEST_CASE(a_contradicting_metric_at_another_clock_makes_it_inconclusive) {
  // 5 % slower at a clock that is 5 % lower: time alone cannot blame the op.
  const Judgement judgement = judged(clocked_baseline(), run_of(105'000, 1905));
  OPGATE_CHECK_VERDICT(judgement, Verdict::inconclusive);
  BOOST_TEST(judgement.reason.find("clock") != std::string::npos, judgement.reason);
}

BOOST_AUTO_TEST_CASE(a_contradiction_without_a_clock_change_counts_for_nothing) {
  // 1.5 % slower, 0.9 % lower clock: cycles say 0.6 %, but the clock hardly moved.
  OPGATE_CHECK_VERDICT(judged(clocked_baseline(), run_of(101'500, 1982)), Verdict::regressed);
}

BOOST_AUTO_TEST_CASE(both_metrics_beyond_their_limits_are_a_regression_at_any_clock) {
  OPGATE_CHECK_VERDICT(judged(clocked_baseline(), run_of(110'000, 1940)), Verdict::regressed);
}

BOOST_AUTO_TEST_CASE(a_higher_clock_must_not_hide_a_regression) {
  // The time is the same although the clock is 5 % higher.
  const CaseBaseline baseline = summarise(runs_of({100'000, 100'000, 100'000, 100'000, 100'000}, 1900));
  OPGATE_CHECK_VERDICT(judged(baseline, run_of(100'000, 2000)), Verdict::inconclusive);
}

BOOST_AUTO_TEST_CASE(a_memory_bound_pass_at_a_lower_clock_stays_a_pass) {
  const Judgement judgement = judged(clocked_baseline(), run_of(100'000, 1900));
  OPGATE_CHECK_VERDICT(judgement, Verdict::pass);
  BOOST_TEST(any_says(judgement.notes, "SM clock"));
}

BOOST_AUTO_TEST_CASE(a_metric_limited_by_its_own_noise_is_no_witness) {
  // Time varies by 2 %: its "within 8 %" says nothing against 5 % more cycles.
  OPGATE_CHECK_VERDICT(judged(throttled_baseline(), run_of(122'000, 1730)), Verdict::regressed);
}

BOOST_AUTO_TEST_CASE(not_even_where_the_change_exceeds_its_limit) {
  // A call while the clock recovers: steady in time, while the sampled clock wanders by 1.3 %.
  std::vector<CaseRun> runs;
  for (const std::int32_t mhz : {1940, 1960, 1980, 2000, 2000}) {
    runs.push_back(run_of(100'000, mhz));
  }
  OPGATE_CHECK_VERDICT(judged(summarise(runs), run_of(111'000, 1780)), Verdict::regressed);
}

BOOST_AUTO_TEST_CASE(a_suspect_in_time_is_confirmed_in_time) {
  // Cycles would decide for the confirmation, and find 2.5 % more.
  const Judgement judgement = judged(throttled_baseline(), run_of(135'000), run_of(125'000, 1640));
  OPGATE_CHECK_VERDICT(judgement, Verdict::pass);
  BOOST_TEST((judgement.metric == Metric::time));
}

BOOST_AUTO_TEST_CASE(a_confirmation_is_judged_by_the_metric_of_the_suspect) {
  const CaseBaseline baseline = throttled_baseline();
  OPGATE_CHECK_VERDICT(judged(baseline, run_of(126'000, 1640), run_of(122'000, 1640)), Verdict::pass);
  OPGATE_CHECK_VERDICT(judged(baseline, run_of(126'000, 1640), run_of(130'000, 1590)), Verdict::regressed);
  OPGATE_CHECK_VERDICT(judged(baseline, run_of(126'000, 1640), run_of(126'000)), Verdict::inconclusive);
}

BOOST_AUTO_TEST_CASE(a_confirmation_in_doubt_is_inconclusive) {
  OPGATE_CHECK_VERDICT(judged(clocked_baseline(), run_of(105'000, 2000), run_of(105'000, 1905)), Verdict::inconclusive);
}

BOOST_AUTO_TEST_CASE(cycles_need_no_reference_clock) {
  // Imports know only the highest clock they saw, and it differs from file to file.
  CaseRun run = run_of(122'000, 1640);
  run.max_sm_mhz = 1650;
  OPGATE_CHECK_VERDICT(judged(throttled_baseline(), run), Verdict::pass);
  run.max_sm_mhz = 0;
  const Judgement judgement = judged(throttled_baseline(), run);
  OPGATE_CHECK_VERDICT(judgement, Verdict::pass);
  BOOST_TEST(judgement.measured_ns.value() == 122'000, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_SUITE_END()
