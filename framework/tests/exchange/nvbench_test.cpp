#include "exchange/nvbench.hpp"

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
  return exchange::parse_nvbench(text, "in.json", 77);
}

exchange::ImportedFile fixture() {
  return parse(text::read_file(OPGATE_TEST_DATA "/imports/nvbench.json", ErrorKind::io));
}

const store::CaseResult& found(const exchange::ImportedRun& run, std::string_view name) {
  return test::found(run.results, name);
}

std::string document(const std::string& state) {
  return "{\"devices\": [],\n\"benchmarks\": [{\"name\": \"b\", \"states\": [" + state + "]}]}";
}

std::string summary(const std::string& tag, const std::string& value) {
  return R"({"summaries": [{"tag": ")" + tag + R"(", "data": [{"name": "value", "type": "float64", "value": )" + value +
         "}]}]}";
}

std::string problem(const std::string& text) {
  return test::problem_of([](const std::string& one) { return parse(one); }, text);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(nvbench)

BOOST_AUTO_TEST_CASE(axes_are_the_case_and_its_dimensions) {
  const auto file = fixture();
  BOOST_REQUIRE(file.runs.size() == 3U);  // no device, device 0, device 1
  const store::CaseResult& cold = found(file.runs[1], "fill/T=F32/Elements=1048576/Fill=0.5");
  BOOST_TEST(cold.identity.op == "fill");
  BOOST_TEST(cold.identity.dimensions.at("Elements") == 1048576);
  BOOST_TEST(cold.identity.params.at("Fill") == 0.5);
  const core::DeviceIdentity& device = cold.attempts.at(0).device;
  BOOST_TEST(device.name == "NVIDIA Example 0");
  BOOST_TEST(device.sm_count == 132);
  BOOST_TEST(device.compute_capability == 90);
  BOOST_TEST(device.max_sm_mhz == 1980);
  BOOST_TEST(device.l2_bytes == 62914560);
}

BOOST_AUTO_TEST_CASE(cold_and_batch_are_two_cases) {
  const auto run = fixture().runs.at(1);
  const auto& cold = found(run, "fill/T=F32/Elements=1048576/Fill=0.5").attempts.at(0).implementations.at(0);
  BOOST_TEST(cold.imported->summary->busy_ns == 23040.0);
  BOOST_TEST(cold.imported->summary->statistic == "median");
  BOOST_TEST(cold.imported->summary->readings.value() == 1200);
  BOOST_TEST(cold.imported->summary->sm_mhz.value() == 1979.5);
  BOOST_TEST(cold.imported->protocol == "nvbench-cold");
  BOOST_TEST(cold.imported->timing == "cuda-events");
  BOOST_TEST(cold.imported->properties.at("nv/cold/bw/global/bytes_per_second") == "3754171330116.5");
  BOOST_TEST(cold.measurement.samples.empty());
  const auto& batch = found(run, "fill/T=F32/Elements=1048576/Fill=0.5/batch").attempts.at(0).implementations.at(0);
  BOOST_TEST(batch.imported->summary->busy_ns == 21720.451);
  BOOST_TEST(batch.imported->summary->statistic == "mean");
  BOOST_TEST(batch.imported->protocol == "nvbench-batch-mean");
}

BOOST_AUTO_TEST_CASE(a_mean_never_meets_a_median) {
  const auto file = fixture();
  const auto& cold =
      found(file.runs.at(2), "fill/T=F32/Elements=1048576/Fill=0.5").attempts.at(0).implementations.at(0);
  BOOST_TEST(cold.imported->summary->busy_ns == 1.5e6);
  BOOST_TEST(cold.imported->protocol == "nvbench-cold-mean");
  const auto& cpu = found(file.runs.at(0), "parse/cpu").attempts.at(0).implementations.at(0);
  BOOST_TEST(cpu.imported->summary->busy_ns == 2.5e8);
  BOOST_TEST(cpu.imported->timing == "wall-clock");
}

BOOST_AUTO_TEST_CASE(skipped_states_are_kept) {
  const store::CaseResult result = found(fixture().runs.at(1), "fill/T=F64/Elements=1048576/Fill=0.5");
  BOOST_TEST((result.exit_code == core::ExitCode::skipped));
  BOOST_TEST((result.attempts.at(0).status == core::Status::skipped));
  BOOST_TEST(result.attempts[0].message == "no double precision here");
}

BOOST_AUTO_TEST_CASE(a_state_without_a_time_failed) {
  const auto file = parse(document("{}"));
  BOOST_TEST((file.runs.at(0).results.at(0).attempts.at(0).status == core::Status::failed));
}

BOOST_AUTO_TEST_CASE(each_device_has_a_run_of_its_own) {
  const auto file = fixture();
  BOOST_TEST(file.runs[0].info.uuid != file.runs[1].info.uuid);
  BOOST_TEST(file.runs[1].info.uuid != file.runs[2].info.uuid);
  BOOST_TEST(file.runs[1].info.uuid == fixture().runs[1].info.uuid);
}

BOOST_AUTO_TEST_CASE(every_wrong_input_names_its_line) {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"{\"devices\": []}", "in.json:1: key \"benchmarks\" is missing"},
      {"{\"devices\": [], \"benchmarks\": []}", "in.json:1: no benchmark has a state"},
      {document(summary("nv/cold/time/gpu/mean", "\"nan\"")), "in.json:2: 'nan' is no finite number"},
      {document(summary("nv/cold/time/gpu/mean", "\"0\"")), "in.json:2: the time is no duration above zero"},
      {document(summary("nv/cold/time/gpu/mean", "1e250")), "in.json:2: the time is no duration above zero"},
      {document(R"({"summaries": {"GPU Time": {}}})"), "in.json:2: this layout is older"},
      {document(R"({"axis_values": [{"name": "n", "type": "int64", "value": "many"}]})"),
       "in.json:2: 'many' is no integer"},
      {document(R"({"axis_values": [{"name": "n", "type": "string", "value": ")" + std::string(2000, 'n') + "\"}]}"),
       "in.json:2: the name of the case has"}};
  for (const auto& [text, expected] : wrong) {
    BOOST_TEST_CONTEXT(expected << " but got: " << problem(text)) BOOST_TEST(problem(text).starts_with(expected));
  }
}

BOOST_AUTO_TEST_SUITE_END()
