#include <boost/test/unit_test.hpp>
#include <regex>

#include "report/samples.hpp"

namespace opgate::report::test {
namespace {

using core::ExitCode;
using core::Verdict;

// Name -> value, read the way CTest does.
std::map<std::string, std::string> parsed(const std::string& text) {
  static const std::regex line(
      "<CTestMeasurement +type=\"(?:numeric/double|text/string)\" "
      "+name=\"([A-Za-z0-9_]+)\">([^<]*)</CTestMeasurement>\n");
  std::map<std::string, std::string> values;
  std::size_t matched = 0;
  for (auto i = std::sregex_iterator(text.begin(), text.end(), line); i != std::sregex_iterator(); ++i) {
    BOOST_TEST(values.emplace((*i)[1], (*i)[2]).second);
    matched += static_cast<std::size_t>(i->length());
  }
  BOOST_TEST(matched == text.size());
  return values;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ctest_measurements)

BOOST_AUTO_TEST_CASE(every_figure_that_exists) {
  store::CaseResult result = judged_case(Verdict::regressed, ExitCode::regression, 10.3);
  result.judgement->baseline_ns = 172'000;
  result.attempts[0].implementations[1].measurement.name = "cublas-lt \"13\"";
  auto values = parsed(report::ctest_measurements(result));
  const std::map<std::string, std::string> expected{{"device_busy_ms", "0.189696"},
                                                    {"baseline_ms", "0.172"},
                                                    {"change_pct", "10.3"},
                                                    {"threshold_pct", "1"},
                                                    {"detectable_pct", "1.04"},
                                                    {"busy_trimmed_mean_ms", "0.189696"},
                                                    {"launch", "direct"},
                                                    {"pacing", "none"},
                                                    {"p10_ms", "0.189632"},
                                                    {"p90_ms", "0.18976"},
                                                    {"latency_ms", "0.189696"},
                                                    {"gap_ms", "0"},
                                                    {"n_kernels", "1"},
                                                    {"sm_mhz", "1965"},
                                                    {"samples", "200"},
                                                    {"retries", "0"},
                                                    {"kernel_groups", "1"},
                                                    {"library_cublas_lt__13__ms", "0.1712"}};
  BOOST_TEST(std::stod(values.at("tflops")) == 137438953472.0 / 0.189696 / 1e9, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(std::stod(values.at("bandwidth_tbs")) == 100663296.0 / 0.189696 / 1e9,
             boost::test_tools::tolerance(1e-12));
  values.erase("tflops");
  values.erase("bandwidth_tbs");
  BOOST_TEST(std::stod(values.at("ceiling_pct")) == 100 * 137438953472.0 / 189'696 / (132 * 4096 * 1.98),
             boost::test_tools::tolerance(1e-12));
  BOOST_TEST(values.at("ceiling") == "compute: 68 % of the peak bf16 rate");
  BOOST_TEST(std::stod(values.at("clock_corrected_busy_ms")) == 0.189696 * 1965 / 1980,
             boost::test_tools::tolerance(1e-12));
  values.erase("clock_corrected_busy_ms");
  values.erase("ceiling_pct");
  values.erase("ceiling");
  for (const auto& [name, value] : expected) {
    BOOST_TEST(values[name] == value, name << ": " << values[name]);
  }
  BOOST_TEST(values.size() == expected.size());
}

BOOST_AUTO_TEST_CASE(what_is_unknown_has_no_line) {
  store::CaseResult result = measured_case();
  result.identity.flops.reset();
  result.identity.bytes_written.reset();
  Measurement& m = result.attempts[0].implementations[0].measurement;
  m.timing = Timing::cuda_events;
  m.samples.resize(1);
  m.samples[0].n_kernels.reset();
  m.samples[0].sm_mhz.reset();
  const auto values = parsed(report::ctest_measurements(result));
  for (const char* const absent : {"tflops", "bandwidth_tbs", "n_kernels", "sm_mhz", "gap_ms", "p10_ms", "p90_ms",
                                   "baseline_ms", "change_pct", "queued_latency_ms", "device_gap_ms", "replayed"}) {
    BOOST_TEST(!values.contains(absent), absent);
  }
  BOOST_TEST(values.at("device_busy_ms") == values.at("latency_ms"));
}

BOOST_AUTO_TEST_CASE(how_the_call_was_launched_is_told) {
  store::CaseResult result = measured_case();
  result.attempts[0].device.max_sm_mhz = 1980;
  core::ImplementationResult& ours = result.attempts[0].implementations[0];
  ours.measurement.launch_reason = "<<<>>> & cudaFree";
  ours.measurement.pacing = 0.5;
  ours.iterations_asked = 200;
  const auto values = parsed(report::ctest_measurements(result));
  BOOST_TEST(values.at("launch") == "direct");
  BOOST_TEST(values.at("launch_reason") == "         cudaFree");
  BOOST_TEST(values.at("pacing") == "0.5");
  BOOST_TEST(values.at("iterations_asked") == "200");
  BOOST_TEST(std::stod(values.at("clock_corrected_busy_ms")) == 0.189696 * 1965 / 1980,
             boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_held_call_has_its_own_span) {
  store::CaseResult result = measured_case();
  result.attempts[0].implementations[0].measurement.launch = Launch::queued;
  const auto values = parsed(report::ctest_measurements(result));
  BOOST_TEST(values.at("launch") == "queued");
  BOOST_TEST(values.contains("queued_latency_ms"));
  BOOST_TEST(values.contains("device_gap_ms"));
  BOOST_TEST(!values.contains("latency_ms"));
  BOOST_TEST(!values.contains("gap_ms"));
}

BOOST_AUTO_TEST_CASE(a_void_or_missing_reading_has_no_lines) {
  BOOST_TEST(report::ctest_measurements({}).empty());
  BOOST_TEST(report::ctest_measurements(
                 ended_case(core::Status::wrong, ErrorKind::wrong_result, ExitCode::wrong_result, "check", "differs"))
                 .empty());
  BOOST_TEST(report::ctest_measurements(
                 ended_case(core::Status::untrusted, ErrorKind::attribution, ExitCode::untrusted, "measure", "nothing"))
                 .empty());
  store::CaseResult judged_but_void = judged_case(Verdict::pass, ExitCode::wrong_result, 0);
  BOOST_TEST(report::ctest_measurements(judged_but_void).empty());
}

BOOST_AUTO_TEST_CASE(a_replayed_figure_is_marked) {
  store::CaseResult result = measured_case();
  result.attempts[0].replayed = true;
  BOOST_TEST(parsed(report::ctest_measurements(result)).at("replayed") == "1");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::report::test
