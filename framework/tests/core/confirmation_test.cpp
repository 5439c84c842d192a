#include <boost/test/unit_test.hpp>
#include <span>

#include "run_builder.hpp"

using namespace opgate;
using namespace opgate::core;

// What is said of fresh processes and of the libraries in them.
BOOST_AUTO_TEST_SUITE(confirmation)

namespace {

bool says(const Judgement& judgement, const std::string& part) {
  return judgement.reason.find(part) != std::string::npos;
}

Judgement judged_with(const CaseBaseline& baseline, const CaseRun& run, const std::vector<CaseRun>& confirmations) {
  return judge(baseline, run, std::span(confirmations), {});
}

CaseRun with_library(std::int64_t ours_ns, std::int64_t library_ns) {
  CaseRun run = run_of(ours_ns);
  run.libraries.push_back({"cublas", run_of(library_ns).samples, {"1 x library"}});
  return run;
}

// Two kernel groups, each at a clock of its own.
CaseRun two_groups(std::int64_t first_ns, std::int32_t first_mhz, std::int64_t second_ns,
                   std::optional<std::int32_t> second_mhz) {
  CaseRun run = run_of(first_ns, first_mhz);
  run.group_names = {"1 x a", "1 x b"};
  for (Sample sample : run_of(second_ns, second_mhz).samples) {
    sample.group = 1;
    run.samples.push_back(sample);
  }
  return run;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_confirmation_is_told_with_its_own_change) {
  const Judgement one = judged_with(steady_baseline(), run_of(105'000), {run_of(104'000)});
  BOOST_TEST(says(one, "; a fresh process confirms it with +4.0 %"), one.reason);
  BOOST_TEST(!says(one, "another one"), one.reason);
  const Judgement two = judged_with(steady_baseline(), run_of(105'000), {run_of(104'000), run_of(103'000)});
  OPGATE_CHECK_VERDICT(two, Verdict::regressed);
  BOOST_TEST(says(two, "; a fresh process confirms it with +4.0 %, another one with +3.0 %"), two.reason);
}

BOOST_AUTO_TEST_CASE(the_second_process_may_refuse_what_the_first_confirmed) {
  const Judgement judgement = judged_with(steady_baseline(), run_of(105'000), {run_of(104'000), run_of(100'000)});
  OPGATE_CHECK_VERDICT(judgement, Verdict::pass);
  BOOST_TEST(says(judgement, "two readings were slower, but a third of a fresh process is not"), judgement.reason);
}

BOOST_AUTO_TEST_CASE(what_one_process_refused_no_other_is_asked_for) {
  const Judgement judgement = judged_with(steady_baseline(), run_of(105'000), {run_of(100'000), run_of(104'000)});
  OPGATE_CHECK_VERDICT(judgement, Verdict::pass);
  BOOST_TEST(says(judgement, "the first reading was slower, but a fresh process alone is not"), judgement.reason);
  BOOST_TEST(!says(judgement, "another one"), judgement.reason);
}

BOOST_AUTO_TEST_CASE(a_confirmed_creep_is_told_by_its_creep) {
  CaseBaseline baseline = steady_baseline(102'500);
  baseline.model.origin = Origin{100'000, {}, "2026-05-01T00:00:00Z", "c0ffee"};
  baseline.units.at("GPU-a").origin = baseline.model.origin;
  const Judgement judgement = judged_with(baseline, run_of(103'200), {run_of(103'300)});
  OPGATE_CHECK_VERDICT(judgement, Verdict::regressed);
  BOOST_TEST(says(judgement, "a fresh process confirms it with +3.3 %"), judgement.reason);
}

BOOST_AUTO_TEST_CASE(a_group_in_doubt_weighs_more_than_one_within_its_limit_in_any_order) {
  const CaseBaseline baseline = summarise(std::vector<CaseRun>(5, two_groups(47'000, 2000, 94'000, 2000)));
  const CaseRun suspect = two_groups(49'000, 2000, 98'000, 2000);
  const CaseRun second_in_doubt = two_groups(47'000, 2000, 98'700, 1905);
  const CaseRun first_in_doubt = two_groups(49'350, 1905, 94'000, 2000);
  OPGATE_CHECK_VERDICT(judged(baseline, suspect, second_in_doubt), Verdict::inconclusive);
  OPGATE_CHECK_VERDICT(judged(baseline, suspect, first_in_doubt), Verdict::inconclusive);
  // Only the second was slow: what the first does in a fresh process is not asked.
  const CaseRun second_slow = two_groups(47'000, 2000, 98'000, 2000);
  OPGATE_CHECK_VERDICT(judged(baseline, second_slow, first_in_doubt), Verdict::pass);
}

BOOST_AUTO_TEST_CASE(each_group_is_confirmed_in_its_own_metric) {
  const auto run = [](std::int32_t mhz, std::int64_t second_ns) {
    return two_groups(47'000LL * 2000 / mhz, mhz, second_ns, std::nullopt);  // the first is decided by its cycles
  };
  std::vector<CaseRun> runs;
  for (const std::int32_t mhz : {1600, 1620, 1640, 1660, 1680}) runs.push_back(run(mhz, 94'000));
  OPGATE_CHECK_VERDICT(judged(summarise(runs), run(1640, 98'000), run(1640, 98'000)), Verdict::regressed);
}

BOOST_AUTO_TEST_CASE(a_group_that_a_fresh_process_lacks_leaves_it_open) {
  const CaseBaseline baseline = summarise(std::vector<CaseRun>(5, two_groups(47'000, 2000, 94'000, 2000)));
  CaseRun fresh = two_groups(47'000, 2000, 94'000, 2000);
  fresh.samples.resize(24);  // 4 of the second group: too few to judge
  const Judgement judgement = judged(baseline, two_groups(47'000, 2000, 98'000, 2000), fresh);
  OPGATE_CHECK_VERDICT(judgement, Verdict::inconclusive);
  BOOST_TEST(says(judgement, "no reading to hold against the same limit"), judgement.reason);
}

BOOST_AUTO_TEST_CASE(a_control_is_told_only_for_what_it_did) {
  const CaseBaseline baseline = summarise(std::vector<CaseRun>(5, with_library(100'000, 80'000)));
  const Judgement steady = judged(baseline, run_of(105'000), with_library(105'000, 80'100));
  BOOST_TEST(any_says(steady.notes, "did not slow down: +0.1 %"));
  BOOST_TEST(!any_says(steady.notes, "no control"));
  const Judgement slower = judged(baseline, run_of(105'000), with_library(105'000, 84'000));
  OPGATE_CHECK_VERDICT(slower, Verdict::inconclusive);
  BOOST_TEST(!any_says(slower.notes, "did not slow down"));
}

BOOST_AUTO_TEST_CASE(a_library_without_a_reading_is_no_control) {
  const CaseBaseline baseline = summarise(std::vector<CaseRun>(5, with_library(100'000, 80'000)));
  const Judgement judgement = judged(baseline, run_of(105'000), with_library(105'000, 0));
  OPGATE_CHECK_VERDICT(judgement, Verdict::regressed);
  BOOST_TEST(any_says(judgement.notes, "cublas is no control"));
}

BOOST_AUTO_TEST_CASE(a_baseline_that_knows_no_kernels_notes_none) {
  CaseBaseline baseline = steady_baseline();
  baseline.units.at("GPU-a").group_shares.clear();
  baseline.model.group_shares.clear();
  BOOST_TEST(judged(baseline, run_of(100'000)).notes.empty());
}

BOOST_AUTO_TEST_CASE(a_tick_of_one_nanosecond_is_a_tick) {
  CaseRun run = run_of(1'600);
  run.tick_ns = 1;
  const Judgement judgement = judged(steady_baseline(1'600), run);
  BOOST_TEST(judgement.threshold_pct.value() == 1.0, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_clock_is_noted_beyond_its_limit_and_not_at_it) {
  RuleOptions rule;
  rule.clock_contradiction = 0.25;
  const CaseBaseline baseline = summarise(runs_of({100'000, 100'000, 100'000, 100'000, 100'000}, 2000));
  const auto notes = [&](std::int32_t mhz) { return judge(baseline, run_of(100'000, mhz), std::nullopt, rule).notes; };
  BOOST_TEST(!any_says(notes(1500), "the SM clock differs"));
  BOOST_TEST(any_says(notes(1400), "the SM clock differs by -30.0 % from the baseline's"));
}

BOOST_AUTO_TEST_CASE(the_extra_tolerance_is_told_in_percent) {
  RuleOptions rule;
  rule.other_unit_extra = 0.5;
  const Judgement judgement = judge(steady_baseline(), run_of(100'000, {}, "GPU-b"), std::nullopt, rule);
  BOOST_TEST(any_says(judgement.notes, "with 50.0 % more tolerance"));
}

BOOST_AUTO_TEST_CASE(the_trimmed_mean_is_told_in_percent) {
  const auto between_ticks = [](std::size_t above) {
    CaseRun run = run_of(45 * 32);
    for (std::size_t i = 0; i < above; ++i) run.samples[i].busy_ns += 32;
    return run;
  };
  const CaseBaseline baseline = summarise(std::vector<CaseRun>(5, between_ticks(4)));
  // The outer tenths go: 2 of 16 above, then 6 of 16.
  const double was = 45 * 32 + 32 * 2 / 16.0;
  const double is = 45 * 32 + 32 * 6 / 16.0;
  BOOST_TEST(judged(baseline, between_ticks(8)).subtick_change_pct.value() == 100 * (is / was - 1),
             boost::test_tools::tolerance(1e-9));
}

namespace {

// Time and cycles alike, without noise.
CaseBaseline clocked_baseline() {
  return summarise(runs_of({100'000, 100'000, 100'000, 100'000, 100'000}, 2000));
}

// 3 % slower at a clock 3 % lower: throttled, or slower by its own?
CaseRun throttled() {
  return run_of(103'000, 1940);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_reading_whose_clock_is_off_waits_for_a_fresh_process) {
  const Judgement doubt = judged_with(clocked_baseline(), throttled(), {});
  OPGATE_CHECK_VERDICT(doubt, Verdict::inconclusive);
  BOOST_TEST(doubt.in_doubt);
  BOOST_TEST(doubt.set_aside == 0);
  BOOST_TEST(!judged_with(clocked_baseline(), run_of(100'000, 2000), {}).in_doubt);
  BOOST_TEST(!judged_with(clocked_baseline(), run_of(105'000, 2000), {}).in_doubt);
}

BOOST_AUTO_TEST_CASE(a_fresh_process_at_the_usual_clock_ends_the_doubt) {
  const Judgement judgement = judged_with(clocked_baseline(), throttled(), {run_of(100'100, 2000)});
  OPGATE_CHECK_VERDICT(judgement, Verdict::pass);
  BOOST_TEST(!judgement.in_doubt);
  BOOST_TEST(says(judgement, "a fresh process alone is not slower"), judgement.reason);
  BOOST_TEST(any_says(judgement.notes, "the first reading was in doubt"));
  BOOST_TEST(judgement.measured_ns.value() == 103'000);  // what was measured first stays what is shown
  OPGATE_CHECK_VERDICT(judged_with(clocked_baseline(), throttled(), {run_of(90'000, 2000)}), Verdict::pass);
}

BOOST_AUTO_TEST_CASE(processes_that_are_all_in_doubt_tell_nothing) {
  const Judgement two = judged_with(clocked_baseline(), throttled(), {throttled()});
  OPGATE_CHECK_VERDICT(two, Verdict::inconclusive);
  BOOST_TEST(two.in_doubt);
  BOOST_TEST(says(two, "a fresh process is in doubt as well"), two.reason);
  const Judgement three = judged_with(clocked_baseline(), throttled(), {throttled(), run_of(100'000, 2000)});
  OPGATE_CHECK_VERDICT(three, Verdict::pass);
  BOOST_TEST(three.set_aside == 2);
}

BOOST_AUTO_TEST_CASE(a_fresh_process_in_place_of_one_in_doubt_is_confirmed_like_any_other) {
  const CaseRun slow = run_of(105'000, 2000);
  const Judgement alone = judged_with(clocked_baseline(), throttled(), {slow});
  OPGATE_CHECK_VERDICT(alone, Verdict::regressed);
  BOOST_TEST(alone.set_aside == 1);
  BOOST_TEST(alone.measured_ns.value() == 105'000);
  BOOST_TEST(any_says(alone.notes, "because the first reading was in doubt"));
  const Judgement confirmed = judged_with(clocked_baseline(), throttled(), {slow, run_of(104'000, 2000)});
  OPGATE_CHECK_VERDICT(confirmed, Verdict::regressed);
  BOOST_TEST(says(confirmed, "a fresh process confirms it with +4.0 %"), confirmed.reason);
  OPGATE_CHECK_VERDICT(judged_with(clocked_baseline(), throttled(), {slow, run_of(100'000, 2000)}), Verdict::pass);
}

BOOST_AUTO_TEST_CASE(a_fresh_process_that_cannot_be_compared_ends_no_doubt) {
  CaseRun other = run_of(100'000, 2000);
  other.conditions.cuda = "12.8";
  const Judgement judgement = judged_with(clocked_baseline(), throttled(), {other});
  OPGATE_CHECK_VERDICT(judgement, Verdict::inconclusive);
  BOOST_TEST(says(judgement, "no fresh process tells"), judgement.reason);
}

BOOST_AUTO_TEST_CASE(a_fresh_process_that_another_leaves_open_is_what_is_judged) {
  const Judgement open = judged_with(clocked_baseline(), throttled(), {run_of(105'000, 2000), throttled()});
  OPGATE_CHECK_VERDICT(open, Verdict::inconclusive);
  BOOST_TEST(open.set_aside == 1);
  BOOST_TEST(open.measured_ns.value() == 105'000);
  BOOST_TEST(any_says(open.notes, "because the first reading was in doubt"));
}

BOOST_AUTO_TEST_CASE(a_fresh_process_without_a_reading_ends_no_doubt) {
  const Judgement judgement = judged_with(clocked_baseline(), throttled(), {run_of(0, 2000)});
  OPGATE_CHECK_VERDICT(judgement, Verdict::inconclusive);
  BOOST_TEST(says(judgement, "no fresh process tells"), judgement.reason);
  BOOST_TEST(judgement.measured_ns.value() == 103'000);
  BOOST_TEST(judgement.set_aside == 0);
}

BOOST_AUTO_TEST_SUITE_END()
