#include <boost/test/unit_test.hpp>

#include "store/fixtures.hpp"
#include "store/history.hpp"

namespace opgate::store::test {

BOOST_AUTO_TEST_SUITE(case_run)

BOOST_AUTO_TEST_CASE(takes_ours_and_its_conditions) {
  CaseResult result = full_result();
  std::swap(result.attempts[0].implementations[0], result.attempts[0].implementations[1]);
  const auto run = store::case_run(result, result.attempts[0]).value();
  BOOST_TEST((run.identity == result.identity));
  BOOST_TEST((run.conditions == core::Conditions{.device_name = "NVIDIA H200",
                                                 .driver_branch = "580",
                                                 .cuda = "13.0",
                                                 .protocol = "method-1",
                                                 .timing = "cuda-events",
                                                 .flush = "memset",
                                                 .launch = "queued",
                                                 .pacing = "0.5",
                                                 .processes = "4"}));
  BOOST_TEST(run.unit == "GPU-aaaa");
  BOOST_TEST(run.tick_ns == 32);
  BOOST_TEST(run.max_sm_mhz == 1980);
  BOOST_TEST(run.samples.at(0).busy_ns == 1696);
  BOOST_TEST(run.samples.size() == 20U);
  BOOST_TEST(run.group_names == result.attempts[0].implementations[1].kernel_groups, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(pacing_is_told_in_durations_of_the_call) {
  CaseResult result = full_result();
  Measurement& ours = result.attempts[0].implementations[0].measurement;
  const auto pacing_of = [&](double pacing) {
    ours.pacing = pacing;
    return store::case_run(result, result.attempts[0]).value().conditions.pacing;
  };
  BOOST_TEST(pacing_of(0) == "none");
  BOOST_TEST(pacing_of(1) == "1");
  BOOST_TEST(pacing_of(0.25) == "0.25");
}

BOOST_AUTO_TEST_CASE(only_a_measured_attempt_with_samples_of_ours_counts) {
  CaseResult result = full_result();
  core::Attempt attempt = result.attempts[0];
  for (const auto status : {core::Status::untrusted, core::Status::failed, core::Status::wrong, core::Status::skipped,
                            core::Status::running}) {
    attempt.status = status;
    BOOST_TEST(!store::case_run(result, attempt).has_value());
  }
  attempt = result.attempts[0];
  attempt.implementations.erase(attempt.implementations.begin());
  BOOST_TEST(!store::case_run(result, attempt).has_value());
  attempt = result.attempts[0];
  attempt.implementations[0].measurement.samples.clear();
  BOOST_TEST(!store::case_run(result, attempt).has_value());
}

BOOST_AUTO_TEST_CASE(unknown_versions_stay_unknown) {
  CaseResult result = full_result();
  result.attempts[0].device.driver = "";
  result.attempts[0].device.cuda = "12.8.1";
  const auto run = store::case_run(result, result.attempts[0]).value();
  BOOST_TEST(run.conditions.driver_branch == "");
  BOOST_TEST(run.conditions.cuda == "12.8");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::store::test
