#include <boost/test/unit_test.hpp>

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

BOOST_AUTO_TEST_SUITE_END()
