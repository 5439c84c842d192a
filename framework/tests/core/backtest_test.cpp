#include "core/backtest.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "run_builder.hpp"

using namespace opgate::core;

namespace {

std::vector<PastRun> level_of(const std::vector<std::int64_t>& medians_ns) {
  std::vector<PastRun> level;
  for (const std::int64_t busy_ns : medians_ns) level.push_back({run_of(busy_ns), std::nullopt, {}});
  return level;
}

// `before` runs of 100 us, then those given.
std::vector<PastRun> after_steady(std::size_t before, const std::vector<std::int64_t>& medians_ns) {
  std::vector<std::int64_t> all(before, 100'000);
  all.insert(all.end(), medians_ns.begin(), medians_ns.end());
  return level_of(all);
}

std::vector<BacktestScore> at(const std::vector<PastRun>& level, std::vector<double> tolerances) {
  BacktestOptions options;
  options.tolerances = std::move(tolerances);
  return backtest(level, options);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(backtest)

BOOST_AUTO_TEST_CASE(a_steady_level_raises_no_alarm) {
  const auto scores = at(after_steady(10, std::vector<std::int64_t>(6, 100'000)), {0.005, 0.01});
  BOOST_REQUIRE(scores.size() == 2U);
  for (const BacktestScore& score : scores) {
    BOOST_TEST(score.judged == 6);
    BOOST_TEST(score.suspects == 0);
    BOOST_TEST(score.alarms == 0);
    BOOST_TEST(score.undecided == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_lone_slow_run_is_a_suspect_that_the_next_run_clears) {
  const auto scores = at(after_steady(10, {102'000, 100'000, 100'000}), {0.01, 0.03});
  BOOST_TEST(scores[0].suspects == 1);
  BOOST_TEST(scores[0].alarms == 0);
  BOOST_TEST(scores[1].suspects == 0);
}

BOOST_AUTO_TEST_CASE(two_slow_runs_in_a_row_are_a_false_alarm) {
  const auto scores = at(after_steady(10, {102'000, 102'000, 100'000}), {0.01});
  BOOST_TEST(scores[0].alarms == 1);
}

BOOST_AUTO_TEST_CASE(a_runs_own_fresh_worker_confirms_before_the_next_run_does) {
  auto level = after_steady(10, {102'000, 102'000, 100'000});
  level[10].confirmation = run_of(100'000);
  BOOST_TEST(at(level, {0.01})[0].alarms == 0);
  level = after_steady(10, {102'000, 100'000});
  level[10].confirmation = run_of(102'000);
  BOOST_TEST(at(level, {0.01})[0].alarms == 1);
}

BOOST_AUTO_TEST_CASE(a_suspect_at_the_end_stays_open) {
  const auto scores = at(after_steady(10, {102'000}), {0.01});
  BOOST_TEST(scores[0].judged == 1);
  BOOST_TEST(scores[0].suspects == 1);
  BOOST_TEST(scores[0].open == 1);
  BOOST_TEST(scores[0].alarms == 0);
  BOOST_TEST(!caught_pct(scores[0], 0.95).has_value());
}

BOOST_AUTO_TEST_CASE(a_fresh_process_in_place_of_one_in_doubt_confirms_nothing) {
  std::vector<PastRun> level(10, {run_of(100'000, 2000), std::nullopt, {}});
  level.push_back({run_of(103'000, 1940), std::nullopt, {}});  // 3 % slower at a clock 3 % lower
  BOOST_TEST(at(level, {0.01})[0].undecided == 1);
  level[10].confirmation = run_of(100'000, 2000);
  const BacktestScore settled = at(level, {0.01})[0];
  BOOST_TEST(settled.undecided + settled.suspects + settled.open + settled.alarms == 0);
  level[10].confirmation = run_of(105'000, 2000);
  const BacktestScore slow = at(level, {0.01})[0];
  BOOST_TEST(slow.suspects == 1);
  BOOST_TEST(slow.open == 1);
  BOOST_TEST(slow.alarms == 0);
}

BOOST_AUTO_TEST_CASE(what_is_caught_follows_from_the_limit_and_the_scatter) {
  // Two of three readings lie on the baseline, the third 0.5 % below it: it needs more to pass the limit of 1 %.
  const auto scores = at(after_steady(10, {100'000, 99'500, 100'000, 100'000}), {0.01, 0.02});
  BOOST_TEST(std::abs(*caught_pct(scores[0], 0.3) - 1) < 0.7);
  BOOST_TEST(std::abs(*caught_pct(scores[0], 0.95) - (101 / 99.5 - 1) * 100) < 0.2);
  BOOST_TEST(*caught_pct(scores[1], 0.95) > *caught_pct(scores[0], 0.95) + 0.9);
  BOOST_TEST(*stated_pct(scores[0]) >= 1.0);
}

BOOST_AUTO_TEST_CASE(too_few_runs_are_not_judged) {
  const auto scores = at(after_steady(10, {}), {0.01});
  BOOST_TEST(scores[0].judged == 0);
  BOOST_TEST(!stated_pct(scores[0]).has_value());
}

BOOST_AUTO_TEST_CASE(scores_add_up) {
  auto sum = at(after_steady(10, {102'000, 102'000, 100'000}), {0.01});
  add_scores(sum, at(after_steady(10, {100'000}), {0.01}));
  BOOST_TEST(sum[0].judged == 4);
  BOOST_TEST(sum[0].alarms == 1);
  std::vector<BacktestScore> none;
  add_scores(none, sum);
  BOOST_TEST(none[0].judged == 4);
}

BOOST_AUTO_TEST_SUITE_END()
