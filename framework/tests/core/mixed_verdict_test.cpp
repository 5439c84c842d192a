#include <boost/test/unit_test.hpp>

#include "core/findings.hpp"
#include "run_builder.hpp"

using namespace opgate;
using namespace opgate::core;

BOOST_AUTO_TEST_SUITE(mixed_verdict)

namespace {

// `first` samples of one kernel, `second` of two kernels.
CaseRun mixed_run(int first, std::int64_t first_ns, int second, std::int64_t second_ns) {
  CaseRun run = run_of(first_ns);
  run.group_names = {"1 x a", "1 x a + 1 x b"};
  const Sample one = run.samples.front();
  Sample two = one;
  two.busy_ns = second_ns;
  two.n_kernels = 2;
  two.group = 1;
  run.samples.assign(static_cast<std::size_t>(first), one);
  run.samples.insert(run.samples.end(), static_cast<std::size_t>(second), two);
  return run;
}

CaseBaseline alternating() {
  return summarise(std::vector<CaseRun>(5, mixed_run(50, 47'000, 50, 94'000)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_group_is_held_against_its_own_median) {
  OPGATE_CHECK_VERDICT(judged(alternating(), mixed_run(50, 47'100, 50, 94'300)), Verdict::pass);
  const Judgement second = judged(alternating(), mixed_run(50, 47'000, 50, 97'000));
  OPGATE_CHECK_VERDICT(second, Verdict::regressed);
  BOOST_TEST(second.baseline_ns.value() == 94'000);
  BOOST_TEST(second.measured_ns.value() == 97'000);
  BOOST_TEST(second.reason.find("1 x a + 1 x b") != std::string::npos, second.reason);
  OPGATE_CHECK_VERDICT(judged(alternating(), mixed_run(50, 48'000, 50, 94'000)), Verdict::regressed);
}

BOOST_AUTO_TEST_CASE(the_pooled_median_is_not_compared) {
  // 51 against 49 samples moves the pooled median from 70.5 to 47 us.
  const Judgement judgement = judged(alternating(), mixed_run(51, 47'000, 49, 94'000));
  OPGATE_CHECK_VERDICT(judgement, Verdict::pass);
  BOOST_TEST(any_says(judgement.notes, "mixed"));
  BOOST_TEST(judgement.baseline_ns.value() != 70'500);
}

BOOST_AUTO_TEST_CASE(more_of_the_slow_group_is_a_regression) {
  const Judgement judgement = judged(alternating(), mixed_run(20, 47'000, 80, 94'000));
  OPGATE_CHECK_VERDICT(judgement, Verdict::regressed);
  BOOST_TEST(judgement.reason.find("shares") != std::string::npos, judgement.reason);
  OPGATE_CHECK_VERDICT(judged(alternating(), mixed_run(80, 47'000, 20, 94'000)), Verdict::improved);
}

BOOST_AUTO_TEST_CASE(shares_within_chance_are_a_pass) {
  OPGATE_CHECK_VERDICT(judged(alternating(), mixed_run(40, 47'000, 60, 94'000)), Verdict::pass);
}

BOOST_AUTO_TEST_CASE(one_group_alone_is_still_judged_as_mixed) {
  const Judgement judgement = judged(alternating(), mixed_run(0, 47'000, 100, 94'000));
  OPGATE_CHECK_VERDICT(judgement, Verdict::regressed);
  BOOST_TEST(judgement.baseline_ns.value() == 70'500);  // half and half
  BOOST_TEST(judgement.measured_ns.value() == 94'000);
}

BOOST_AUTO_TEST_CASE(a_group_that_disappeared_shows_where_the_pooled_medians_agree) {
  const CaseBaseline baseline = summarise(std::vector<CaseRun>(5, mixed_run(60, 47'000, 40, 94'000)));
  OPGATE_CHECK_VERDICT(judged(baseline, mixed_run(100, 47'000, 0, 94'000)), Verdict::improved);
}

BOOST_AUTO_TEST_CASE(a_new_slow_path_fails_a_call_that_was_not_mixed) {
  const CaseBaseline single = summarise(std::vector<CaseRun>(5, mixed_run(100, 47'000, 0, 0)));
  BOOST_TEST(single.model.groups.empty());
  OPGATE_CHECK_VERDICT(judged(single, mixed_run(70, 47'000, 30, 94'000)), Verdict::regressed);
  OPGATE_CHECK_VERDICT(judged(single, mixed_run(97, 47'000, 3, 94'000)), Verdict::pass);
}

BOOST_AUTO_TEST_CASE(groups_of_fewer_than_ten_samples_are_not_judged) {
  const CaseBaseline baseline = summarise(std::vector<CaseRun>(5, mixed_run(90, 47'000, 10, 94'000)));
  const Judgement nine = judged(baseline, mixed_run(91, 47'000, 9, 120'000));
  OPGATE_CHECK_VERDICT(nine, Verdict::pass);
  BOOST_TEST(any_says(nine.notes, "9 samples"));
  OPGATE_CHECK_VERDICT(judged(baseline, mixed_run(90, 47'000, 10, 120'000)), Verdict::regressed);
}

BOOST_AUTO_TEST_CASE(a_mixed_call_without_any_group_to_judge_is_inconclusive) {
  const Judgement judgement = judged(alternating(), mixed_run(5, 47'000, 5, 94'000));
  OPGATE_CHECK_VERDICT(judgement, Verdict::inconclusive);
  BOOST_TEST(judgement.reason.find("10 samples") != std::string::npos, judgement.reason);
}

BOOST_AUTO_TEST_CASE(renamed_kernels_of_a_mixed_call_are_judged_by_their_mix) {
  CaseRun same = mixed_run(50, 47'000, 50, 94'000);
  same.group_names = {"1 x c", "1 x c + 1 x d"};
  OPGATE_CHECK_VERDICT(judged(alternating(), same), Verdict::pass);
  CaseRun slower = mixed_run(50, 50'000, 50, 99'000);
  slower.group_names = same.group_names;
  OPGATE_CHECK_VERDICT(judged(alternating(), slower), Verdict::regressed);
}

BOOST_AUTO_TEST_CASE(a_confirmation_must_show_the_same_group_slower) {
  const CaseRun slow_second = mixed_run(50, 47'000, 50, 97'000);
  OPGATE_CHECK_VERDICT(judged(alternating(), slow_second, slow_second), Verdict::regressed);
  OPGATE_CHECK_VERDICT(judged(alternating(), slow_second, mixed_run(50, 48'500, 50, 94'000)), Verdict::pass);
}

BOOST_AUTO_TEST_CASE(a_confirmation_in_doubt_for_one_group_is_in_doubt) {
  const auto clocked = [](CaseRun run, std::int32_t first_mhz, std::int32_t second_mhz) {
    for (Sample& sample : run.samples) {
      sample.sm_mhz = sample.group == 0 ? first_mhz : second_mhz;
    }
    return run;
  };
  const CaseBaseline baseline =
      summarise(std::vector<CaseRun>(5, clocked(mixed_run(50, 47'000, 50, 94'000), 2000, 2000)));
  const CaseRun suspect = clocked(mixed_run(50, 49'000, 50, 98'000), 2000, 2000);
  OPGATE_CHECK_VERDICT(judged(baseline, suspect, clocked(mixed_run(50, 47'000, 50, 98'700), 2000, 1905)),
                       Verdict::inconclusive);
  OPGATE_CHECK_VERDICT(judged(baseline, suspect, clocked(mixed_run(50, 47'000, 50, 94'000), 2000, 2000)),
                       Verdict::pass);
}

BOOST_AUTO_TEST_CASE(moved_shares_need_a_confirmation_too) {
  const CaseRun moved = mixed_run(20, 47'000, 80, 94'000);
  OPGATE_CHECK_VERDICT(judged(alternating(), moved, moved), Verdict::regressed);
  OPGATE_CHECK_VERDICT(judged(alternating(), moved, mixed_run(50, 47'000, 50, 94'000)), Verdict::pass);
}

BOOST_AUTO_TEST_CASE(without_names_the_count_of_kernels_tells_groups_apart) {
  const auto nameless = [](CaseRun run) {
    run.group_names.clear();
    return run;
  };
  const CaseBaseline baseline = summarise(std::vector<CaseRun>(5, nameless(mixed_run(50, 47'000, 50, 94'000))));
  BOOST_TEST(baseline.model.groups.size() == 2U);
  OPGATE_CHECK_VERDICT(judged(baseline, nameless(mixed_run(50, 47'000, 50, 97'000))), Verdict::regressed);
}

BOOST_AUTO_TEST_CASE(chance_is_that_of_the_mean_share) {
  // 0.2 of 100 samples: four times the chance of 0.6 is 0.196, of 0.5 it is 0.2.
  OPGATE_CHECK_VERDICT(judged(alternating(), mixed_run(30, 47'000, 70, 94'000)), Verdict::regressed);
  // 0.13 of 200 samples: four times the chance of 0.435 is 0.14.
  OPGATE_CHECK_VERDICT(judged(alternating(), mixed_run(74, 47'000, 126, 94'000)), Verdict::pass);
  RuleOptions wide;
  wide.share_tolerance = 0.25;
  OPGATE_CHECK_VERDICT(judge(alternating(), mixed_run(50, 47'000, 150, 94'000), std::nullopt, wide), Verdict::pass);
  OPGATE_CHECK_VERDICT(judge(alternating(), mixed_run(49, 47'000, 151, 94'000), std::nullopt, wide),
                       Verdict::regressed);
}

BOOST_AUTO_TEST_CASE(the_noisiest_group_sets_the_limit_of_the_shares) {
  std::vector<CaseRun> runs;
  for (const std::int64_t off : {-500, -500, 0, 500, 500}) {
    runs.push_back(mixed_run(50, 47'000 + off, 50, 94'000));
  }
  const Judgement judgement = judged(summarise(runs), mixed_run(20, 47'000, 80, 94'000));
  OPGATE_CHECK_VERDICT(judgement, Verdict::regressed);
  BOOST_TEST(judgement.threshold_pct.value() == 400 * 500 / 47'000.0, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(shares_are_not_judged_by_four_runs) {
  const CaseBaseline few = summarise(std::vector<CaseRun>(4, mixed_run(50, 47'000, 50, 94'000)));
  std::vector<std::string> notes;
  BOOST_TEST(examine(few.model, read_run(mixed_run(20, 47'000, 80, 94'000)).value(), {}, {}, notes).empty());
}

BOOST_AUTO_TEST_CASE(a_group_too_rare_for_a_time_of_its_own_may_stay_away) {
  const CaseBaseline rare = summarise(std::vector<CaseRun>(5, mixed_run(95, 47'000, 5, 94'000)));
  OPGATE_CHECK_VERDICT(judged(rare, mixed_run(100, 47'000, 0, 0)), Verdict::pass);
}

BOOST_AUTO_TEST_CASE(a_group_that_a_single_baseline_does_not_know_has_none) {
  const CaseBaseline single = summarise(std::vector<CaseRun>(5, mixed_run(100, 47'000, 0, 0)));
  const Judgement judgement = judged(single, mixed_run(90, 47'000, 10, 94'000));
  BOOST_TEST(any_says(judgement.notes, "the iterations with 1 x a + 1 x b: no baseline of their own yet"));
  CaseBaseline nameless = single;
  nameless.model.group_shares.clear();
  nameless.units.at("GPU-a").group_shares.clear();
  OPGATE_CHECK_VERDICT(judged(nameless, mixed_run(50, 47'000, 50, 94'000)), Verdict::inconclusive);
}

namespace {

Finding finding(Verdict verdict, double change, double limit) {
  Finding finding;
  finding.verdict = finding.decided.verdict = verdict;
  finding.decided.change = change;
  finding.decided.limit.relative = limit;
  return finding;
}

Finding crept(double change, double limit) {
  Finding finding;
  finding.verdict = Verdict::regressed;
  finding.decided.limit.relative = 1;
  finding.creep = Creep{change, limit, ""};
  return finding;
}

// Whether the first decides, wherever it stands.
bool decides(const Finding& first, const Finding& second) {
  const std::vector<Finding> in_order{first, second};
  const std::vector<Finding> turned{second, first};
  return &decisive(in_order) == &in_order[0] && &decisive(turned) == &turned[1];
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_regression_decides_before_a_doubt_before_an_improvement_before_a_pass) {
  const std::vector<Finding> order{finding(Verdict::regressed, 0.02, 0.01), finding(Verdict::inconclusive, 0.5, 0.01),
                                   finding(Verdict::improved, -0.9, 0.001), finding(Verdict::pass, 0.009, 0.01)};
  for (std::size_t i = 0; i + 1 < order.size(); ++i) BOOST_TEST(decides(order[i], order[i + 1]), i);
  BOOST_TEST(decides(finding(Verdict::improved, -0.02, 0.01), finding(Verdict::pass, 0.049, 0.01)));
}

BOOST_AUTO_TEST_CASE(among_equals_decides_what_is_furthest_beyond_its_limit) {
  BOOST_TEST(decides(finding(Verdict::regressed, 0.03, 0.01), finding(Verdict::regressed, 0.05, 0.04)));
  BOOST_TEST(decides(finding(Verdict::inconclusive, 0.03, 0.01), finding(Verdict::inconclusive, 0.05, 0.04)));
  BOOST_TEST(decides(finding(Verdict::improved, -0.2, 0.01), finding(Verdict::improved, -0.5, 0.1)));
  BOOST_TEST(decides(finding(Verdict::pass, 0.005, 0.01), finding(Verdict::pass, -0.009, 0.01)));
  BOOST_TEST(decides(finding(Verdict::regressed, 2e-6, 0), finding(Verdict::regressed, 1e-6, 0)));
  BOOST_TEST(decides(finding(Verdict::regressed, 1e-6, 0), finding(Verdict::regressed, 0.02, 0.01)));
  BOOST_TEST(decides(crept(0.06, 0.01), finding(Verdict::regressed, 0.05, 0.01)));
  BOOST_TEST(decides(finding(Verdict::regressed, 0.02, 0.01), crept(0.05, 0.04)));
  const std::vector<Finding> same(2, finding(Verdict::regressed, 0.03, 0.01));
  BOOST_TEST(&decisive(same) == &same[0]);
}

BOOST_AUTO_TEST_SUITE_END()
