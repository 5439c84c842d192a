#include "exchange/google_benchmark.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exchange/imported.hpp"
#include "opgate/error.hpp"
#include "text/file.hpp"

using namespace opgate;

namespace {

exchange::ImportedFile parse(const std::string& text) {
  return exchange::parse_google_benchmark(text, "in.json", 77);
}

exchange::ImportedFile fixture() {
  return parse(text::read_file(OPGATE_TEST_DATA "/imports/google_benchmark.json", ErrorKind::io));
}

const store::CaseResult& found(const exchange::ImportedFile& file, std::string_view name) {
  return test::found(file.runs.at(0).results, name);
}

std::string document(const std::string& entries) {
  return "{\"context\": {},\n\"benchmarks\": [" + entries + "]}";
}

std::string problem(const std::string& text) {
  return test::problem_of([](const std::string& one) { return parse(one); }, text);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(google_benchmark)

BOOST_AUTO_TEST_CASE(repetitions_are_passes_of_one_reading) {
  const auto file = fixture();
  const store::CaseResult& result = found(file, "BM_Copy/4096/repeats:3/manual_time");
  BOOST_TEST(result.identity.op == "bm_copy");
  const auto& ours = result.attempts.at(0).implementations.at(0);
  BOOST_TEST(ours.measurement.samples.empty());
  BOOST_TEST(ours.measurement.pass_medians_ns == (std::vector<double>{2250, 2281.25, 2234.375}),
             boost::test_tools::per_element());
  BOOST_TEST(ours.imported->protocol == "google-benchmark");
  BOOST_TEST(ours.imported->timing == "manual-time");
  BOOST_TEST(ours.imported->properties.at("cpu_time_ns") == "3500");
  BOOST_TEST(ours.imported->properties.at("bytes_per_second") == "1800000000");
  const core::Summary summary = ours.imported->summary.value();
  BOOST_TEST(summary.busy_ns == 2250.0);
  BOOST_TEST(summary.statistic == "median");
  BOOST_TEST(summary.readings.value() == 3);
}

BOOST_AUTO_TEST_CASE(a_single_entry_is_the_mean_of_its_iterations) {
  const auto file = fixture();
  const auto& ours = found(file, "BM_Hash").attempts.at(0).implementations.at(0);
  BOOST_TEST(ours.imported->summary->busy_ns == 14.375);
  BOOST_TEST(ours.imported->summary->statistic == "mean");
  BOOST_TEST(ours.imported->summary->readings.value() == 48'000'000);
  BOOST_TEST(ours.imported->timing == "real-time");
  BOOST_TEST(ours.imported->properties.at("label") == "crc32");
}

BOOST_AUTO_TEST_CASE(aggregates_count_only_where_nothing_else_was_written) {
  const auto file = fixture();
  const auto& only = found(file, "BM_Only").attempts.at(0).implementations.at(0);
  BOOST_TEST(only.imported->summary->busy_ns == 3.5e6);
  BOOST_TEST(only.imported->summary->statistic == "median");
  BOOST_TEST(only.imported->summary->readings.value() == 5);
  BOOST_TEST(file.runs.at(0).results.size() == 5U);  // no case for a mean, a cv or a complexity fit
}

BOOST_AUTO_TEST_CASE(errors_and_skips_are_kept) {
  const auto file = fixture();
  const core::Attempt& broken = found(file, "BM_Broken").attempts.at(0);
  BOOST_TEST((broken.status == core::Status::failed));
  BOOST_TEST(broken.message == "no such device");
  BOOST_TEST((found(file, "BM_Broken").exit_code == core::ExitCode::cannot_run));
  const core::Attempt& left = found(file, "BM_Left").attempts.at(0);
  BOOST_TEST((left.status == core::Status::skipped));
  BOOST_TEST(left.message == "needs 80 GiB");
}

BOOST_AUTO_TEST_CASE(the_context_is_the_run) {
  const store::RunInfo run = fixture().runs.at(0).info;
  BOOST_TEST(run.host == "bench-host");
  BOOST_TEST(run.started_unix_ms == 1778044089000);
  BOOST_TEST(run.uuid == fixture().runs.at(0).info.uuid);
}

BOOST_AUTO_TEST_CASE(old_files_name_their_aggregates) {
  const auto file =
      parse(document(R"({"name": "BM_A", "iterations": 10, "real_time": 5, "cpu_time": 5, "time_unit": "ns"},
                  {"name": "BM_A", "iterations": 10, "real_time": 7, "cpu_time": 5, "time_unit": "ns"},
                  {"name": "BM_A_mean", "iterations": 2, "real_time": 6, "cpu_time": 5, "time_unit": "ns"},
                  {"name": "BM_A_stddev", "iterations": 2, "real_time": 1, "cpu_time": 5, "time_unit": "ns"})"));
  BOOST_REQUIRE(file.runs.at(0).results.size() == 1U);
  BOOST_TEST(found(file, "BM_A").attempts.at(0).implementations.at(0).imported->summary->busy_ns == 6.0);
}

BOOST_AUTO_TEST_CASE(every_wrong_input_names_its_line) {
  const std::string good = R"({"name": "a", "run_type": "iteration", "iterations": 1, "real_time": 1})";
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"{", "in.json:1: not valid JSON"},
      {"{\"benchmarks\": []}", "in.json:1: key \"context\" is missing"},
      {document(""), "in.json:2: there is no benchmark"},
      {document("{}"), "in.json:2: key \"name\" is missing"},
      {document(R"({"name": "a", "run_type": "iteration", "iterations": 1})"),
       "in.json:2: key \"real_time\" is missing"},
      {document(good.substr(0, good.size() - 1) + R"(, "time_unit": "days"})"), "in.json:2: time_unit is 'days'"},
      {document(R"({"name": "a", "run_type": "iteration", "iterations": 1, "real_time": NaN})"),
       "in.json:2: not valid JSON"},
      {document(R"({"name": "a", "run_type": "iteration", "iterations": 1, "real_time": 1e300})"),
       "in.json:2: real_time is no duration"},
      {document(R"({"name": "a", "run_type": "iteration", "iterations": 1, "real_time": "1"})"),
       "in.json:2: \"real_time\" must be a number"},
      {document(good).substr(0, 40), "in.json:2: not valid JSON"},
      {"{\"context\": {\"date\": \"noon\"}, \"benchmarks\": []}", "in.json:1: date is no time"},
      {std::string(100'000, '['), "in.json:1: nested more than 64 levels deep"}};
  for (const auto& [text, expected] : wrong) {
    BOOST_TEST_CONTEXT(expected << " but got: " << problem(text)) BOOST_TEST(problem(text).starts_with(expected));
  }
}

BOOST_AUTO_TEST_CASE(values_are_bounded) {
  std::string many = "{\"context\": {}, \"benchmarks\": [0";
  for (int i = 0; i < 4'000'000; ++i) many += ",0";
  BOOST_TEST(problem(many + "]}").find("too many values") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
