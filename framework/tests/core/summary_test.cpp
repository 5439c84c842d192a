#include <boost/test/unit_test.hpp>
#include <cmath>

#include "run_builder.hpp"

using namespace opgate;
using namespace opgate::core;

BOOST_AUTO_TEST_SUITE(summary)

BOOST_AUTO_TEST_CASE(a_baseline_keeps_the_run_medians_their_centre_and_noise) {
  const CaseBaseline baseline = summarise(runs_of({10'000, 10'200, 10'100, 10'300, 10'400}));
  const MetricBaseline& time = baseline.model.time.value();
  BOOST_TEST(time.run_medians_ns == (std::vector<double>{10'000, 10'200, 10'100, 10'300, 10'400}),
             boost::test_tools::per_element());
  BOOST_TEST(time.centre_ns == 10'200);
  BOOST_TEST(time.noise_ns == std::sqrt(25'000.0), boost::test_tools::tolerance(1e-12));
  BOOST_TEST(baseline.identity.name == "gemm.square.bf16");
  BOOST_TEST((baseline.conditions == usual_conditions()));
}

BOOST_AUTO_TEST_CASE(each_unit_has_its_own_and_the_model_all) {
  std::vector<CaseRun> runs = runs_of({10'000, 10'200}, 2000, "GPU-a");
  runs.push_back(run_of(12'000, 1000, "GPU-b"));
  const CaseBaseline baseline = summarise(runs);
  BOOST_REQUIRE_EQUAL(baseline.units.size(), 2U);
  BOOST_TEST(baseline.units.at("GPU-a").time->centre_ns == 10'100);
  BOOST_TEST(baseline.units.at("GPU-b").time->centre_ns == 12'000);
  BOOST_TEST(baseline.units.at("GPU-b").time->noise_ns == 0);
  BOOST_TEST(baseline.model.time->centre_ns == 10'200);
  // ns x MHz / 1000 are clock cycles.
  BOOST_TEST(baseline.units.at("GPU-a").cycles->centre_ns == 20'200);
  BOOST_TEST(baseline.units.at("GPU-b").cycles->centre_ns == 12'000);
}

BOOST_AUTO_TEST_CASE(a_clock_missing_in_one_sample_of_one_run_leaves_no_cycles) {
  std::vector<CaseRun> runs = runs_of({10'000, 10'200}, 2000);
  runs[1].samples[7].sm_mhz.reset();
  BOOST_TEST(!summarise(runs).model.cycles.has_value());
}

BOOST_AUTO_TEST_CASE(groups_and_shares_are_kept) {
  const CaseBaseline single = summarise(runs_of({10'000}));
  BOOST_TEST(single.model.groups.empty());
  BOOST_TEST(single.model.group_shares.at("1 x gemm") == 1.0);

  CaseRun mixed = run_of(10'000);
  mixed.group_names.emplace_back("2 x gemm");
  for (std::size_t i = 0; i < 15; ++i) {
    mixed.samples[i].group = 1;
    mixed.samples[i].busy_ns = 30'000;
  }
  const CaseBaseline baseline = summarise({mixed, mixed});
  BOOST_TEST(std::abs(baseline.model.time->centre_ns - 30'000) <= 16);  // stored, never compared
  BOOST_TEST(baseline.model.group_shares.at("1 x gemm") == 0.25);
  BOOST_TEST(baseline.model.group_shares.at("2 x gemm") == 0.75);
  BOOST_TEST(baseline.model.groups.at("2 x gemm").time->run_medians_ns.size() == 2U);
  BOOST_TEST(!baseline.model.groups.at("1 x gemm").time.has_value());  // five samples a run
}

BOOST_AUTO_TEST_CASE(no_share_is_above_1_whatever_the_number_of_runs) {
  std::vector<CaseRun> runs;
  while (runs.size() < 200) {
    runs.push_back(run_of(10'000));
    BOOST_TEST(summarise(runs).model.group_shares.at("1 x gemm") == 1);
  }
}

BOOST_AUTO_TEST_CASE(runs_without_a_reading_add_nothing) {
  const CaseBaseline baseline = summarise(runs_of({10'000, 0, -3}));
  BOOST_TEST(baseline.model.time->run_medians_ns.size() == 1U);
  BOOST_TEST(!summarise({}).model.time.has_value());
  BOOST_TEST(!summarise({}).kernels_overlap.has_value());
}

BOOST_AUTO_TEST_CASE(trimmed_means_are_kept_where_three_ticks_are_more_than_a_percent) {
  const auto kept = [](std::int64_t busy_ns, std::int32_t tick_ns) {
    std::vector<CaseRun> runs = runs_of({busy_ns, busy_ns});
    for (CaseRun& run : runs) run.tick_ns = tick_ns;
    return summarise(runs).model.subtick.has_value();
  };
  BOOST_TEST(kept(9'599, 32));
  BOOST_TEST(!kept(9'600, 32));
  BOOST_TEST(kept(9'599, 0));  // unknown: 32
  BOOST_TEST(!kept(9'600, 0));
  BOOST_TEST(kept(50'000, 1000));
  BOOST_TEST(kept(299, 1));
  BOOST_TEST(!kept(500, 1));
}

BOOST_AUTO_TEST_CASE(a_run_of_figures_alone_leaves_no_trimmed_means) {
  std::vector<CaseRun> runs = runs_of({2'000, 2'000});
  BOOST_TEST(summarise(runs).model.subtick.has_value());
  runs[1].samples.clear();
  runs[1].summary.emplace().busy_ns = 2'000;
  BOOST_TEST(!summarise(runs).model.subtick.has_value());
}

BOOST_AUTO_TEST_SUITE_END()
