#include "run/attempt_json.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "opgate/error.hpp"

using namespace opgate;

namespace {

core::Attempt full_attempt() {
  core::Attempt attempt;
  attempt.number = 2;
  attempt.purpose = "confirm";
  attempt.status = core::Status::untrusted;
  attempt.error = ErrorKind::records_lost;
  attempt.phase = "measure";
  attempt.message = "two\nlines \"quoted\" \xff";
  attempt.device.name = "NVIDIA H200";
  attempt.device.l2_bytes = 62914560;
  attempt.before.sm_mhz = 1980;
  attempt.after.other_processes = {12, 34};
  attempt.phase_wall_ns = {{"measure", 12345678901}};
  core::ImplementationResult ours;
  ours.measurement.name = "cublas";
  ours.measurement.protocol = Protocol::method_1;
  ours.measurement.flush = Flush::memset;
  ours.measurement.launch = Launch::direct;
  ours.measurement.launch_reason = "the call synchronises";
  ours.measurement.pacing = 1.5;
  ours.launches = {{{{"k", 2}}, 1}};
  ours.iterations_asked = 33;
  ours.measurement.retries = 1;
  ours.measurement.pass_medians_ns = {1696.5, 1728};
  Sample sample;
  sample.busy_ns = 1696;
  sample.latency_ns = 2000;
  sample.gap_ns = 304;
  sample.n_kernels = 2;
  sample.group = 1;
  sample.sm_mhz = 1965;
  sample.work_ns = 1800;
  ours.measurement.samples = {sample, Sample{}};
  ours.kernels.push_back({.name = "k", .grid = {1, 2, 3}, .block = {32, 1, 1}, .registers = 40});
  ours.kernel_groups = {"k", "2 x k"};
  attempt.implementations.push_back(ours);
  return attempt;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(attempt_json)

BOOST_AUTO_TEST_CASE(nothing_is_lost_on_the_way) {
  const core::Attempt sent = full_attempt();
  const std::string line = run::format_attempt(sent);
  BOOST_TEST(line.find('\n') == std::string::npos);
  const core::Attempt got = run::parse_attempt(line);
  BOOST_TEST(run::format_attempt(got) == line);
  BOOST_TEST(got.number == 2);
  BOOST_TEST((got.error == ErrorKind::records_lost));
  BOOST_TEST(got.before.sm_mhz.value() == 1980);
  BOOST_TEST(!got.before.power_mw.has_value());
  BOOST_REQUIRE_EQUAL(got.implementations.size(), 1U);
  const core::ImplementationResult& one = got.implementations[0];
  BOOST_TEST((one.measurement.protocol == Protocol::method_1));
  BOOST_TEST(one.measurement.samples.at(0).gap_ns == 304);
  BOOST_TEST(!one.measurement.samples.at(1).n_kernels.has_value());
  BOOST_TEST(one.measurement.samples.at(0).sm_mhz.value() == 1965);
  BOOST_TEST(one.measurement.samples.at(0).work_ns.value() == 1800);
  BOOST_TEST(!one.measurement.samples.at(1).work_ns.has_value());
  BOOST_TEST(one.measurement.launch_reason == "the call synchronises");
  BOOST_TEST(one.measurement.pacing == 1.5);
  BOOST_TEST((one.launches == sent.implementations[0].launches));
  BOOST_TEST(one.iterations_asked.value() == 33);
  BOOST_TEST((one.kernels == sent.implementations[0].kernels));
  BOOST_TEST(one.kernel_groups == sent.implementations[0].kernel_groups, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(text_that_is_no_attempt_is_an_error) {
  BOOST_CHECK_THROW((void)run::parse_attempt("{"), Error);
  BOOST_CHECK_THROW((void)run::parse_attempt("{}"), Error);
  BOOST_CHECK_THROW((void)run::parse_attempt("{\"number\":\"one\"}"), Error);
}

BOOST_AUTO_TEST_SUITE_END()
