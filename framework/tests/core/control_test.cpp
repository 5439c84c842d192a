#include <boost/test/unit_test.hpp>

#include "run_builder.hpp"

using namespace opgate;
using namespace opgate::core;

BOOST_AUTO_TEST_SUITE(control)

namespace {

CaseRun with_library(std::int64_t ours_ns, std::int64_t library_ns, const std::string& name = "cublas") {
  CaseRun run = run_of(ours_ns);
  const CaseRun beside = run_of(library_ns);
  run.libraries.push_back({name, beside.samples, {"1 x library"}});
  return run;
}

CaseBaseline accepted() {
  return summarise(std::vector<CaseRun>(5, with_library(100'000, 80'000)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(libraries_have_levels_beside_ours) {
  const CaseBaseline baseline = accepted();
  BOOST_TEST(baseline.model.libraries.at("cublas").time.value().centre_ns == 80'000);
  BOOST_TEST(baseline.units.at("GPU-a").libraries.at("cublas").time.value().run_medians_ns.size() == 5U);
}

BOOST_AUTO_TEST_CASE(a_control_that_stayed_where_it_was_keeps_the_regression) {
  const Judgement judgement = judged(accepted(), with_library(105'000, 80'000), with_library(105'000, 80'100));
  OPGATE_CHECK_VERDICT(judgement, Verdict::regressed);
  BOOST_TEST(any_says(judgement.notes, "cublas in the same process is the control and did not slow down"));
}

BOOST_AUTO_TEST_CASE(a_control_that_slowed_down_in_the_confirming_process_leaves_it_open) {
  const Judgement judgement = judged(accepted(), with_library(105'000, 80'000), with_library(105'000, 84'000));
  OPGATE_CHECK_VERDICT(judgement, Verdict::inconclusive);
  BOOST_TEST(judgement.reason.find("library implementation slowed down as well (cublas +5.0 %)") != std::string::npos,
             judgement.reason);
}

BOOST_AUTO_TEST_CASE(only_the_process_that_confirms_has_a_control) {
  OPGATE_CHECK_VERDICT(judged(accepted(), with_library(105'000, 84'000), with_library(105'000, 80'000)),
                       Verdict::regressed);
  OPGATE_CHECK_VERDICT(judged(accepted(), with_library(105'000, 84'000)), Verdict::regressed);
}

BOOST_AUTO_TEST_CASE(one_of_several_controls_is_enough) {
  CaseRun run = with_library(100'000, 80'000);
  run.libraries.push_back({"cudnn", run_of(90'000).samples, {"1 x other"}});
  const CaseBaseline baseline = summarise(std::vector<CaseRun>(5, run));
  CaseRun fresh = with_library(105'000, 80'000);
  fresh.libraries.push_back({"cudnn", run_of(95'000).samples, {"1 x other"}});
  OPGATE_CHECK_VERDICT(judged(baseline, run_of(105'000), fresh), Verdict::inconclusive);
}

BOOST_AUTO_TEST_CASE(a_library_without_accepted_runs_is_no_control_and_that_is_said) {
  const Judgement judgement = judged(steady_baseline(), with_library(105'000, 90'000), with_library(105'000, 90'000));
  OPGATE_CHECK_VERDICT(judgement, Verdict::regressed);
  BOOST_TEST(any_says(judgement.notes, "cublas is no control"));
}

BOOST_AUTO_TEST_CASE(a_control_does_not_turn_a_pass) {
  OPGATE_CHECK_VERDICT(judged(accepted(), with_library(100'000, 90'000)), Verdict::pass);
}

BOOST_AUTO_TEST_SUITE_END()
