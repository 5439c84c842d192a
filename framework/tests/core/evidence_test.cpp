#include <boost/test/unit_test.hpp>

#include "run_builder.hpp"

using namespace opgate;
using namespace opgate::core;

BOOST_AUTO_TEST_SUITE(evidence)

namespace {

// Most samples at `ticks`, the rest one tick above: the median does not tell how many.
CaseRun between_ticks(int ticks, std::size_t above) {
  CaseRun run = run_of(ticks * 32);
  for (std::size_t i = 0; i < above; ++i) {
    run.samples[i].busy_ns += 32;
  }
  return run;
}

CaseBaseline short_call() {
  std::vector<CaseRun> runs;
  for (const std::size_t above : std::initializer_list<std::size_t>{3, 4, 3, 4, 3}) {
    runs.push_back(between_ticks(45, above));
  }
  return summarise(runs);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_call_of_a_few_ticks_keeps_its_trimmed_means) {
  BOOST_TEST(short_call().model.subtick.value().run_medians_ns.size() == 5U);
  BOOST_TEST(!steady_baseline(100'000).model.subtick.has_value());
}

BOOST_AUTO_TEST_CASE(what_lies_below_a_tick_is_told_and_never_red) {
  CaseRun slower = between_ticks(45, 9);
  for (Sample& sample : slower.samples) {
    sample.busy_ns += 32;
  }
  const Judgement judgement = judged(short_call(), slower);
  OPGATE_CHECK_VERDICT(judgement, Verdict::pass);
  BOOST_TEST(judgement.subtick_change_pct.value() > 2.5);
  BOOST_TEST(judgement.reason.find("finer than a tick, says +") != std::string::npos, judgement.reason);
  const Judgement same = judged(short_call(), between_ticks(45, 3));
  BOOST_TEST(same.reason.find("finer than a tick") == std::string::npos, same.reason);
}

BOOST_AUTO_TEST_CASE(it_backs_a_regression_or_does_not) {
  const Judgement clear = judged(short_call(), between_ticks(49, 3));
  OPGATE_CHECK_VERDICT(clear, Verdict::regressed);
  BOOST_TEST(clear.reason.find("finer than a tick, agrees with +") != std::string::npos, clear.reason);
}

// Eight runs of 10 ms that differ by 0.1 %, and two that were 3.5 % slower: 4 x noise would let 6 % pass.
BOOST_AUTO_TEST_CASE(outliers_among_the_accepted_runs_do_not_widen_the_limit_beyond_themselves) {
  std::vector<std::int64_t> medians;
  for (std::int64_t i = 0; i < 8; ++i) {
    medians.push_back(10'000'000 + (i % 3 - 1) * 10'000);
  }
  medians.insert(medians.end(), {10'350'000, 10'350'000});
  const CaseBaseline baseline = summarise(runs_of(medians));
  const Judgement same = judged(baseline, run_of(10'350'000));
  OPGATE_CHECK_VERDICT(same, Verdict::pass);
  BOOST_TEST(same.threshold_pct.value() > 3.5);
  BOOST_TEST(same.threshold_pct.value() < 4.2);
  BOOST_TEST(same.reason.find("outliers of the baseline") != std::string::npos, same.reason);
  OPGATE_CHECK_VERDICT(judged(baseline, run_of(10'450'000)), Verdict::regressed);
  RuleOptions never;
  never.outlier_runs = 100;
  OPGATE_CHECK_VERDICT(judge(baseline, run_of(10'450'000), std::nullopt, never), Verdict::pass);
}

BOOST_AUTO_TEST_CASE(few_runs_cannot_tell_outliers_from_noise) {
  const Judgement judgement =
      judged(summarise(runs_of({100'000, 100'000, 100'000, 100'000, 103'500})), run_of(100'000));
  BOOST_TEST(judgement.reason.find("noise of the baseline") != std::string::npos, judgement.reason);
}

BOOST_AUTO_TEST_CASE(noise_without_outliers_stays_four_times_its_deviation) {
  const CaseBaseline baseline =
      summarise(runs_of({98'500, 99'000, 99'300, 99'700, 99'900, 100'100, 100'300, 100'700, 101'000, 101'500}));
  const double noise = baseline.model.time->noise_ns / baseline.model.time->centre_ns;
  BOOST_TEST(judged(baseline, run_of(100'000)).threshold_pct.value() == 400 * noise,
             boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(every_judgement_names_its_rule) {
  BOOST_TEST(judged(steady_baseline(), run_of(100'000)).rule_version == kRuleVersion);
  BOOST_TEST(kRuleVersion == 5);
}

BOOST_AUTO_TEST_SUITE_END()
