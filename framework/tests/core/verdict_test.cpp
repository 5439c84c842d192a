#include <boost/test/unit_test.hpp>
#include <cmath>

#include "run_builder.hpp"

using namespace opgate;
using namespace opgate::core;

BOOST_AUTO_TEST_SUITE(verdict)

BOOST_AUTO_TEST_CASE(within_the_tolerance_is_a_pass_with_all_figures) {
  const Judgement judgement = judged(steady_baseline(), run_of(100'900));
  OPGATE_CHECK_VERDICT(judgement, Verdict::pass);
  BOOST_TEST(judgement.baseline_ns.value() == 100'000);
  BOOST_TEST(judgement.measured_ns.value() == 100'900);
  BOOST_TEST(judgement.change_pct.value() == 0.9, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(judgement.threshold_pct.value() == 1.0, boost::test_tools::tolerance(1e-9));
  // The limit, and one tick by which a median of whole ticks may fall short; the baseline has no noise.
  BOOST_TEST(judgement.detectable_pct.value() == 1.032, boost::test_tools::tolerance(1e-9));
  BOOST_TEST((judgement.metric == Metric::time));
  BOOST_TEST(judgement.reason.find("0.100900 ms against 0.100000 ms") != std::string::npos, judgement.reason);
  BOOST_TEST(judgement.reason.find("0.9 % slower") != std::string::npos, judgement.reason);
  BOOST_TEST(judgement.reason.find("tolerance") != std::string::npos, judgement.reason);
}

BOOST_AUTO_TEST_CASE(beyond_the_tolerance_is_a_regression_and_exactly_at_it_is_not) {
  OPGATE_CHECK_VERDICT(judged(steady_baseline(), run_of(101'001)), Verdict::regressed);
  OPGATE_CHECK_VERDICT(judged(steady_baseline(), run_of(101'000)), Verdict::pass);
}

BOOST_AUTO_TEST_CASE(the_options_set_the_limit) {
  RuleOptions wide;
  wide.tolerance = 0.04;
  OPGATE_CHECK_VERDICT(judge(steady_baseline(), run_of(103'000), std::nullopt, wide), Verdict::pass);
  OPGATE_CHECK_VERDICT(judge(steady_baseline(), run_of(104'100), std::nullopt, wide), Verdict::regressed);
}

BOOST_AUTO_TEST_CASE(three_ticks_are_the_limit_of_a_short_call) {
  const CaseBaseline baseline = steady_baseline(1'600);
  OPGATE_CHECK_VERDICT(judged(baseline, run_of(1'696)), Verdict::pass);
  OPGATE_CHECK_VERDICT(judged(baseline, run_of(1'728)), Verdict::regressed);
  const Judgement judgement = judged(baseline, run_of(1'696));
  BOOST_TEST(judgement.threshold_pct.value() == 6.0, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(judgement.reason.find("ticks") != std::string::npos, judgement.reason);
}

BOOST_AUTO_TEST_CASE(an_unknown_tick_is_taken_as_32_ns) {
  CaseRun run = run_of(1'696);
  run.tick_ns = 0;
  BOOST_TEST(judged(steady_baseline(1'600), run).threshold_pct.value() == 6.0, boost::test_tools::tolerance(1e-9));
  run.tick_ns = 16;
  BOOST_TEST(judged(steady_baseline(1'600), run).threshold_pct.value() == 3.0, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(four_times_the_noise_is_the_limit_of_a_noisy_case) {
  // Median 100,000; standard deviation of {-1000, -1000, 0, 1000, 1000} is 1000.
  const CaseBaseline baseline = summarise(runs_of({99'000, 99'000, 100'000, 101'000, 101'000}));
  OPGATE_CHECK_VERDICT(judged(baseline, run_of(103'900)), Verdict::pass);
  OPGATE_CHECK_VERDICT(judged(baseline, run_of(104'100)), Verdict::regressed);
  const Judgement judgement = judged(baseline, run_of(100'000));
  BOOST_TEST(judgement.threshold_pct.value() == 4.0, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(judgement.reason.find("noise") != std::string::npos, judgement.reason);
}

BOOST_AUTO_TEST_CASE(half_the_time_is_an_improvement) {
  const Judgement judgement = judged(steady_baseline(10'000), run_of(5'000));
  OPGATE_CHECK_VERDICT(judgement, Verdict::improved);
  BOOST_TEST(judgement.change_pct.value() == -50.0, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(half_as_much_again_is_no_improvement) {
  OPGATE_CHECK_VERDICT(judged(steady_baseline(100'000), run_of(150'000)), Verdict::regressed);
}

BOOST_AUTO_TEST_CASE(an_improvement_must_exceed_what_the_case_can_detect) {
  const CaseBaseline baseline = summarise(runs_of({99'900, 99'900, 100'000, 100'100, 100'100}));
  const double detectable = judged(baseline, run_of(100'000)).detectable_pct.value();
  BOOST_TEST(detectable > 1.0);
  const auto faster = [&](double percent) { return run_of(std::llround(100'000 * (1 - percent / 100))); };
  const Judgement lucky = judged(baseline, faster(detectable - 0.02));
  OPGATE_CHECK_VERDICT(lucky, Verdict::pass);
  BOOST_TEST(lucky.reason.find("improvement") != std::string::npos, lucky.reason);
  OPGATE_CHECK_VERDICT(judged(baseline, faster(detectable + 0.02)), Verdict::improved);
}

BOOST_AUTO_TEST_CASE(zero_and_negative_readings_are_ignored) {
  CaseRun run = run_of(100'100);
  for (std::size_t i = 0; i < 12; ++i) {
    run.samples[i].busy_ns = i % 2 == 0 ? 0 : -5;
  }
  const Judgement judgement = judged(steady_baseline(), run);
  OPGATE_CHECK_VERDICT(judgement, Verdict::pass);
  BOOST_TEST(judgement.measured_ns.value() == 100'100);
  BOOST_TEST(any_says(judgement.notes, "12 readings of zero or less"));
  CaseRun one = run_of(100'100);
  one.samples[3].busy_ns = 0;
  BOOST_TEST(any_says(judged(steady_baseline(), one).notes, "1 readings of zero or less"));
  BOOST_TEST(judged(steady_baseline(), run_of(100'100)).notes.empty());
}

BOOST_AUTO_TEST_CASE(a_run_of_nothing_but_zeros_is_inconclusive_never_faster) {
  const Judgement judgement = judged(steady_baseline(), run_of(0));
  OPGATE_CHECK_VERDICT(judgement, Verdict::inconclusive);
  BOOST_TEST(!judgement.measured_ns.has_value());
  BOOST_TEST(!judgement.change_pct.has_value());
}

BOOST_AUTO_TEST_CASE(zeros_in_a_baseline_are_no_runs) {
  CaseBaseline baseline = steady_baseline();
  baseline.units["GPU-a"].time->run_medians_ns = {100'000, 100'000, 100'000, 100'000, 0};
  baseline.model = baseline.units["GPU-a"];
  OPGATE_CHECK_VERDICT(judged(baseline, run_of(100'000)), Verdict::no_baseline);
}

BOOST_AUTO_TEST_CASE(the_first_run_has_no_baseline) {
  const Judgement judgement = judge(std::nullopt, run_of(100'000), std::nullopt, {});
  OPGATE_CHECK_VERDICT(judgement, Verdict::no_baseline);
  BOOST_TEST(judgement.measured_ns.value() == 100'000);
  BOOST_TEST(!judgement.baseline_ns.has_value());
  BOOST_TEST(judgement.reason.find("at least 5") != std::string::npos, judgement.reason);
}

BOOST_AUTO_TEST_CASE(four_runs_are_no_baseline_and_the_reason_says_how_many_are_wanted) {
  const CaseBaseline baseline = summarise(runs_of({100'000, 100'000, 100'000, 100'000}));
  const Judgement judgement = judged(baseline, run_of(200'000));
  OPGATE_CHECK_VERDICT(judgement, Verdict::no_baseline);
  BOOST_TEST(judgement.reason.find("4 accepted runs") != std::string::npos, judgement.reason);
  BOOST_TEST(judgement.reason.find("at least 5") != std::string::npos, judgement.reason);
}

BOOST_AUTO_TEST_CASE(a_case_that_changed_is_not_comparable) {
  CaseRun run = run_of(100'000);
  run.identity.dimensions["m"] = 128;
  const Judgement judgement = judged(steady_baseline(), run);
  OPGATE_CHECK_VERDICT(judgement, Verdict::not_comparable);
  BOOST_TEST(judgement.reason.find("m=128") != std::string::npos, judgement.reason);
}

BOOST_AUTO_TEST_CASE(other_flops_are_judged_in_time_and_flagged) {
  CaseRun run = run_of(150'000);
  run.identity.flops = 2000;
  const Judgement judgement = judged(steady_baseline(), run);
  OPGATE_CHECK_VERDICT(judgement, Verdict::regressed);
  BOOST_TEST(any_says(judgement.notes, "flops"));
}

BOOST_AUTO_TEST_CASE(another_unit_of_the_model_gets_three_percent_more) {
  const CaseBaseline baseline = steady_baseline();
  const Judgement within = judged(baseline, run_of(103'900, std::nullopt, "GPU-b"));
  OPGATE_CHECK_VERDICT(within, Verdict::pass);
  BOOST_TEST(within.threshold_pct.value() == 4.0, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(
      any_says(within.notes, "another unit of the same model: held against all its accepted runs, with 3.0 % more"));
  OPGATE_CHECK_VERDICT(judged(baseline, run_of(104'100, std::nullopt, "GPU-b")), Verdict::regressed);
}

BOOST_AUTO_TEST_CASE(another_unit_is_held_against_the_whole_model) {
  std::vector<CaseRun> runs = runs_of({100'000, 100'000, 100'000, 100'000, 100'000});
  for (CaseRun& run : runs_of({110'000, 110'000, 110'000, 110'000, 110'000}, std::nullopt, "GPU-b")) {
    runs.push_back(run);
  }
  const CaseBaseline baseline = summarise(runs);
  BOOST_TEST(judged(baseline, run_of(105'000, std::nullopt, "GPU-c")).baseline_ns.value() == 105'000);
  BOOST_TEST(judged(baseline, run_of(105'000, std::nullopt, "GPU-a")).baseline_ns.value() == 100'000);
  BOOST_TEST(judged(baseline, run_of(105'000, std::nullopt, "GPU-b")).baseline_ns.value() == 110'000);
}

BOOST_AUTO_TEST_CASE(a_unit_with_too_few_runs_of_its_own_is_held_against_the_model) {
  std::vector<CaseRun> runs = runs_of({100'000, 100'000, 100'000, 100'000, 100'000});
  runs.push_back(run_of(100'000, std::nullopt, "GPU-b"));
  const Judgement judgement = judged(summarise(runs), run_of(103'000, std::nullopt, "GPU-b"));
  OPGATE_CHECK_VERDICT(judgement, Verdict::pass);
  BOOST_TEST(judgement.threshold_pct.value() == 4.0, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_suspect_that_a_fresh_process_confirms_stays_regressed) {
  const Judgement judgement = judged(steady_baseline(), run_of(105'000), run_of(104'000));
  OPGATE_CHECK_VERDICT(judgement, Verdict::regressed);
  BOOST_TEST(judgement.measured_ns.value() == 105'000);
  BOOST_TEST(judgement.reason.find("confirms") != std::string::npos, judgement.reason);
}

BOOST_AUTO_TEST_CASE(a_suspect_that_a_fresh_process_does_not_confirm_passes_with_a_note) {
  const Judgement judgement = judged(steady_baseline(), run_of(105'000), run_of(100'500));
  OPGATE_CHECK_VERDICT(judgement, Verdict::pass);
  BOOST_TEST(any_says(judgement.notes, "not confirmed"));
  BOOST_TEST(any_says(judgement.notes, "5.0 % slower"));
}

BOOST_AUTO_TEST_CASE(the_confirmation_alone_must_exceed_the_limit) {
  // Together the two would average 3 % slower.
  OPGATE_CHECK_VERDICT(judged(steady_baseline(), run_of(105'200), run_of(100'900)), Verdict::pass);
}

BOOST_AUTO_TEST_CASE(a_confirmation_is_no_second_chance_for_a_pass) {
  OPGATE_CHECK_VERDICT(judged(steady_baseline(), run_of(100'000), run_of(150'000)), Verdict::pass);
}

BOOST_AUTO_TEST_CASE(a_confirmation_that_cannot_be_held_against_the_limit_is_inconclusive) {
  CaseRun other = run_of(105'000);
  other.conditions.flush = "memset";
  OPGATE_CHECK_VERDICT(judged(steady_baseline(), run_of(105'000), other), Verdict::inconclusive);
  OPGATE_CHECK_VERDICT(judged(steady_baseline(), run_of(105'000), run_of(0)), Verdict::inconclusive);
}

BOOST_AUTO_TEST_CASE(a_control_that_slowed_down_as_well_makes_a_regression_inconclusive) {
  const Judgement regressed = judged(steady_baseline(), run_of(105'000));
  const Judgement passed = judged(steady_baseline(), run_of(100'000));
  OPGATE_CHECK_VERDICT(hold_against_control(regressed, regressed), Verdict::inconclusive);
  OPGATE_CHECK_VERDICT(hold_against_control(regressed, passed), Verdict::regressed);
  OPGATE_CHECK_VERDICT(hold_against_control(passed, regressed), Verdict::pass);
}

BOOST_AUTO_TEST_CASE(other_kernels_are_told_and_judged_all_the_same) {
  CaseRun run = run_of(105'000);
  run.group_names = {"2 x gemm_split"};
  const Judgement judgement = judged(steady_baseline(), run);
  OPGATE_CHECK_VERDICT(judgement, Verdict::regressed);
  BOOST_TEST(any_says(judgement.notes, "2 x gemm_split"));
}

// The documentation tells them, and every other test may choose its own.
BOOST_AUTO_TEST_CASE(the_constants_of_the_rule_are_the_documented_ones) {
  const RuleOptions rule;
  BOOST_TEST(rule.tolerance == 0.01);
  BOOST_TEST(rule.other_unit_extra == 0.03);
  BOOST_TEST(rule.ticks == 3);
  BOOST_TEST(rule.noise_factor == 4);
  BOOST_TEST(rule.min_runs == 5);
  BOOST_TEST(rule.clock_contradiction == 0.01);
  BOOST_TEST(rule.min_group_samples == 10);
  BOOST_TEST(rule.share_tolerance == 0.05);
  BOOST_TEST(rule.outlier_runs == 8);
  BOOST_TEST(rule.creep_budget == 0.03);
  BOOST_TEST(rule.clear_factor == 2);
  BOOST_TEST(rule.version == 5);
}

BOOST_AUTO_TEST_CASE(a_regression_of_less_than_twice_its_limit_is_narrow) {
  Judgement judgement;
  judgement.verdict = Verdict::regressed;
  judgement.threshold_pct = 1.5;
  for (const auto& [change_pct, narrow] :
       {std::pair(1.6, true), std::pair(2.9, true), std::pair(3.0, false), std::pair(9.0, false)}) {
    judgement.change_pct = change_pct;
    BOOST_TEST(is_narrow(judgement, {}) == narrow, change_pct);
  }
  judgement.change_pct = 1.6;
  judgement.verdict = Verdict::pass;
  BOOST_TEST(!is_narrow(judgement, {}));
  judgement.verdict = Verdict::regressed;
  judgement.change_pct.reset();
  BOOST_TEST(!is_narrow(judgement, {}));
  judgement.change_pct = 1.6;
  judgement.threshold_pct.reset();
  BOOST_TEST(!is_narrow(judgement, {}));
}

BOOST_AUTO_TEST_CASE(a_baseline_without_any_run_says_so) {
  const Judgement judgement =
      judged(CaseBaseline{steady_baseline().identity, steady_baseline().conditions, {}, {}}, run_of(100'000));
  OPGATE_CHECK_VERDICT(judgement, Verdict::no_baseline);
  BOOST_TEST(judgement.reason.find("the baseline has 0 accepted runs") != std::string::npos, judgement.reason);
}

BOOST_AUTO_TEST_SUITE_END()
