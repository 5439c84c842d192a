#include "core/creep.hpp"

#include <boost/test/unit_test.hpp>

#include "run_builder.hpp"

using namespace opgate;
using namespace opgate::core;

BOOST_AUTO_TEST_SUITE(creep)

namespace {

const AcceptedAt kMay{"2026-05-01T00:00:00Z", "c0ffee"};
const AcceptedAt kJune{"2026-06-01T00:00:00Z", "decade"};
const AcceptedAt kJuly{"2026-07-01T00:00:00Z", "facade"};
constexpr double kTick = 32;

CaseBaseline first(std::int64_t busy_ns) {
  CaseBaseline baseline = steady_baseline(busy_ns);
  set_origins(baseline, nullptr, {}, kMay, {}, kTick);
  return baseline;
}

CaseBaseline next(const CaseBaseline& before, std::int64_t busy_ns, const AcceptedAt& then = kMay) {
  CaseBaseline baseline = steady_baseline(busy_ns);
  set_origins(baseline, &before, then, kJune, {}, kTick);
  return baseline;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_first_accepted_centre_is_the_origin_and_stays_it) {
  const CaseBaseline may = first(100'000);
  BOOST_TEST(may.model.origin.value().time_ns == 100'000);
  BOOST_TEST(may.model.origin->commit == "c0ffee");
  const CaseBaseline july = next(next(may, 100'800), 101'500);
  BOOST_TEST(july.model.origin.value().time_ns == 100'000);
  BOOST_TEST(july.model.origin->when == kMay.when);
  BOOST_TEST(july.units.at("GPU-a").origin.value().time_ns == 100'000);
}

BOOST_AUTO_TEST_CASE(a_file_from_before_origins_counts_from_what_it_holds) {
  const CaseBaseline old = steady_baseline(100'000);
  const CaseBaseline now = next(old, 100'900);
  BOOST_TEST(now.model.origin.value().time_ns == 100'000);
  BOOST_TEST(now.model.origin->when == kMay.when);
}

BOOST_AUTO_TEST_CASE(a_new_unit_counts_from_its_own_first_centre) {
  CaseBaseline baseline = summarise(runs_of({105'000, 105'000, 105'000, 105'000, 105'000}, {}, "GPU-new"));
  const CaseBaseline before = first(100'000);
  set_origins(baseline, &before, kMay, kJune, {}, kTick);
  BOOST_TEST(baseline.units.at("GPU-new").origin.value().time_ns == 105'000);
  BOOST_TEST(baseline.model.origin.value().time_ns == 100'000);
}

BOOST_AUTO_TEST_CASE(a_real_improvement_moves_the_origin_and_a_lucky_one_does_not) {
  BOOST_TEST(next(first(100'000), 99'100).model.origin.value().time_ns == 100'000);
  const CaseBaseline faster = next(first(100'000), 80'000);
  BOOST_TEST(faster.model.origin.value().time_ns == 80'000);
  BOOST_TEST(faster.model.origin->when == kJune.when);
}

BOOST_AUTO_TEST_CASE(an_improvement_beyond_the_tolerance_of_its_own_unit_moves_the_origin) {
  BOOST_TEST(next(first(100'000), 98'000).model.origin.value().time_ns == 98'000);
  RuleOptions quarter;
  quarter.tolerance = 0.25;
  const CaseBaseline before = first(100'000);
  CaseBaseline at = steady_baseline(75'000);
  set_origins(at, &before, kMay, kJune, quarter, kTick);
  BOOST_TEST(at.model.origin.value().time_ns == 100'000);
}

BOOST_AUTO_TEST_CASE(a_baseline_of_few_runs_keeps_the_origin) {
  CaseBaseline few = summarise(runs_of({80'000, 80'000, 80'000}));
  const CaseBaseline before = first(100'000);
  set_origins(few, &before, kMay, kJune, {}, kTick);
  BOOST_TEST(few.model.origin.value().time_ns == 100'000);
}

BOOST_AUTO_TEST_CASE(an_origin_without_cycles_stays_where_cycles_decide) {
  const CaseBaseline before = first(100'000);
  std::vector<CaseRun> runs;
  for (const std::int32_t mhz : {1600, 1620, 1640, 1660, 1680}) {
    runs.push_back(run_of(80'000LL * 2000 / mhz, mhz));
  }
  CaseBaseline now = summarise(runs);
  set_origins(now, &before, kMay, kJune, {}, kTick);
  BOOST_TEST(now.model.origin.value().when == kMay.when);
}

BOOST_AUTO_TEST_CASE(what_creeps_beyond_the_budget_is_told) {
  BOOST_TEST(drifts_of(next(first(100'000), 102'900), {}, kTick).empty());
  const std::vector<Drift> drifts = drifts_of(next(first(100'000), 103'100), {}, kTick);
  BOOST_REQUIRE(drifts.size() == 2U);  // the model and its one unit
  BOOST_TEST(drifts.front().change == 0.031, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(drifts.front().since == kMay.when);
  RuleOptions generous;
  generous.creep_budget = 0.05;
  BOOST_TEST(drifts_of(next(first(100'000), 103'100), generous, kTick).empty());
}

BOOST_AUTO_TEST_CASE(ticks_are_no_creep) {
  BOOST_TEST(drifts_of(next(first(1'600), 1'696), {}, kTick).empty());  // 6 %, three ticks
  BOOST_TEST(!drifts_of(next(first(1'600), 1'728), {}, kTick).empty());
}

BOOST_AUTO_TEST_CASE(a_run_within_its_limit_but_beyond_the_budget_is_regressed) {
  const CaseBaseline baseline = next(next(first(100'000), 101'000), 102'500, kJune);
  OPGATE_CHECK_VERDICT(judged(baseline, run_of(102'900)), Verdict::pass);
  const Judgement judgement = judged(baseline, run_of(103'200));
  OPGATE_CHECK_VERDICT(judgement, Verdict::regressed);
  BOOST_TEST(judgement.change_pct.value() < 1.0);
  BOOST_TEST(judgement.origin_change_pct.value() == 3.2, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(judgement.reason.find("slow creep: 3.2 % slower than the first accepted baseline of 2026-05-01") !=
                 std::string::npos,
             judgement.reason);
}

BOOST_AUTO_TEST_CASE(creep_needs_a_confirmation_like_any_suspect) {
  const CaseBaseline baseline = next(next(first(100'000), 101'000), 102'500, kJune);
  OPGATE_CHECK_VERDICT(judged(baseline, run_of(103'200), run_of(103'300)), Verdict::regressed);
  OPGATE_CHECK_VERDICT(judged(baseline, run_of(103'200), run_of(102'500)), Verdict::pass);
}

BOOST_AUTO_TEST_CASE(another_unit_has_more_budget_too) {
  const CaseBaseline baseline = next(next(first(100'000), 101'000), 102'500, kJune);
  OPGATE_CHECK_VERDICT(judged(baseline, run_of(105'000, {}, "GPU-z")), Verdict::pass);
  OPGATE_CHECK_VERDICT(judged(baseline, run_of(106'200, {}, "GPU-z")), Verdict::regressed);
}

BOOST_AUTO_TEST_CASE(the_budget_holds_for_each_group_of_a_mixed_call) {
  const auto mixed = [](std::int64_t second_ns) {
    CaseRun run = run_of(47'000);
    run.group_names = {"1 x a", "1 x a + 1 x b"};
    CaseRun other = run_of(second_ns);
    for (Sample& sample : other.samples) {
      sample.group = 1;
      sample.n_kernels = 2;
      run.samples.push_back(sample);
    }
    return run;
  };
  const auto baseline_of = [&](std::int64_t ns) { return summarise(std::vector<CaseRun>(5, mixed(ns))); };
  CaseBaseline may = baseline_of(94'000);
  set_origins(may, nullptr, {}, kMay, {}, kTick);
  BOOST_TEST(!may.model.origin.has_value());
  CaseBaseline june = baseline_of(96'500);
  set_origins(june, &may, kMay, kJune, {}, kTick);
  BOOST_TEST(june.model.groups.at("1 x a + 1 x b").origin.value().time_ns == 94'000);
  OPGATE_CHECK_VERDICT(judged(june, mixed(96'500)), Verdict::pass);
  OPGATE_CHECK_VERDICT(judged(june, mixed(97'100)), Verdict::regressed);
}

BOOST_AUTO_TEST_CASE(a_call_that_is_no_longer_mixed_counts_from_here_and_so_does_a_new_group) {
  CaseRun mixed = run_of(47'000);
  mixed.group_names = {"1 x a", "1 x b"};
  for (Sample sample : run_of(94'000).samples) {
    sample.group = 1;
    mixed.samples.push_back(sample);
  }
  CaseBaseline before = summarise(std::vector<CaseRun>(5, mixed));
  set_origins(before, nullptr, {}, kMay, {}, kTick);
  CaseBaseline single = steady_baseline(100'000);
  set_origins(single, &before, kMay, kJune, {}, kTick);
  BOOST_TEST(single.model.origin.value().when == kJune.when);
  mixed.group_names = {"1 x a", "1 x c"};
  CaseBaseline other = summarise(std::vector<CaseRun>(5, mixed));
  set_origins(other, &before, kMay, kJune, {}, kTick);
  BOOST_TEST(other.model.groups.at("1 x a").origin.value().when == kMay.when);
  BOOST_TEST(other.model.groups.at("1 x c").origin.value().when == kJune.when);
}

BOOST_AUTO_TEST_CASE(without_an_earlier_baseline_all_counts_from_here) {
  CaseBaseline july = steady_baseline(110'000);
  set_origins(july, nullptr, {}, kJuly, {}, kTick);
  BOOST_TEST(july.model.origin.value().time_ns == 110'000);
  OPGATE_CHECK_VERDICT(judged(july, run_of(110'000)), Verdict::pass);
}

BOOST_AUTO_TEST_SUITE_END()
