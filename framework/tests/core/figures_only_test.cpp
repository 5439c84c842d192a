#include <boost/test/unit_test.hpp>

#include "core/readings.hpp"
#include "run_builder.hpp"

using namespace opgate;
using namespace opgate::core;

namespace {

// What another tool left of a run: its figures.
CaseRun figures_of_run(double busy_ns) {
  CaseRun run = run_of(1);
  run.samples.clear();
  run.summary = Summary{.busy_ns = busy_ns,
                        .p10_ns = {},
                        .p90_ns = {},
                        .latency_ns = {},
                        .gap_ns = {},
                        .sm_mhz = 1980,
                        .readings = 200,
                        .n_kernels = 1};
  return run;
}

CaseBaseline baseline_of_figures() {
  std::vector<CaseRun> runs;
  for (const double busy_ns : {100'000.0, 100'020.5, 99'990.0, 100'010.0, 100'000.0}) {
    runs.push_back(figures_of_run(busy_ns));
  }
  return summarise(runs);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(figures_only)

BOOST_AUTO_TEST_CASE(the_figure_stands_for_the_run_unrounded) {
  const RunReading reading = read_run(figures_of_run(3712.5)).value();
  BOOST_TEST(reading.pooled.time_ns == 3712.5);
  BOOST_TEST(reading.pooled.samples == 200);
  BOOST_TEST(!reading.pooled.cycles.has_value());  // one clock beside a figure corrects nothing
  BOOST_REQUIRE(reading.groups.size() == 1U);
  BOOST_TEST(reading.groups[0].name == "1 x gemm");
  BOOST_TEST(reading.groups[0].share == 1.0);
}

BOOST_AUTO_TEST_CASE(zero_or_less_is_no_reading) {
  BOOST_TEST(!read_run(figures_of_run(0)).has_value());
  BOOST_TEST(!read_run(figures_of_run(-5)).has_value());
}

BOOST_AUTO_TEST_CASE(it_is_judged_against_the_figures_of_other_runs) {
  OPGATE_CHECK_VERDICT(judged(baseline_of_figures(), figures_of_run(100'500)), Verdict::pass);
  OPGATE_CHECK_VERDICT(judged(baseline_of_figures(), figures_of_run(102'000)), Verdict::regressed);
  OPGATE_CHECK_VERDICT(judged(baseline_of_figures(), figures_of_run(90'000)), Verdict::improved);
}

BOOST_AUTO_TEST_CASE(other_bytes_are_other_work_where_nothing_else_tells_the_shape) {
  CaseBaseline baseline = baseline_of_figures();
  baseline.identity.dimensions.clear();
  CaseRun run = figures_of_run(100'000);
  run.identity.dimensions.clear();
  OPGATE_CHECK_VERDICT(judged(baseline, run), Verdict::pass);
  run.identity.bytes = 4096;
  OPGATE_CHECK_VERDICT(judged(baseline, run), Verdict::not_comparable);
}

BOOST_AUTO_TEST_SUITE_END()
