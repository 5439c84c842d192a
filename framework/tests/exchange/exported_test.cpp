#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "exchange/export_google_benchmark.hpp"
#include "exchange/export_junit.hpp"
#include "exchange/export_values.hpp"
#include "exchange/google_benchmark.hpp"
#include "exchange/imported.hpp"
#include "exchange/junit.hpp"

using namespace opgate;
using test::found;

namespace {

core::ImplementationResult implementation(const std::string& name, std::int64_t busy_ns) {
  core::ImplementationResult one;
  one.measurement.name = name;
  one.kernel_groups = {"1 x k"};
  for (int i = 0; i < 21; ++i) {
    Sample sample;
    sample.busy_ns = busy_ns + i % 3;
    sample.latency_ns = busy_ns + 100;
    sample.n_kernels = 1;
    sample.sm_mhz = 1980;
    one.measurement.samples.push_back(sample);
  }
  return one;
}

store::CaseResult measured(const std::string& name, std::int64_t busy_ns) {
  store::CaseResult result;
  result.identity.name = name;
  result.identity.op = "gemm";
  result.identity.dtype = "bf16";
  result.identity.flops = 137'438'953'472.0;
  result.identity.bytes_read = 67'108'864;
  result.identity.bytes_written = 33'554'432;
  core::Attempt attempt;
  attempt.status = core::Status::measured;
  attempt.wall_ns = 250'000'000;
  attempt.implementations = {implementation("", busy_ns), implementation("cublas", busy_ns + 777)};
  result.attempts.push_back(attempt);
  result.exit_code = core::ExitCode::pass;
  return result;
}

store::CaseResult ended(const std::string& name, core::Status status, core::ExitCode code, const std::string& message) {
  store::CaseResult result;
  result.identity.name = name;
  core::Attempt attempt;
  attempt.status = status;
  attempt.message = message;
  result.attempts.push_back(attempt);
  result.exit_code = code;
  return result;
}

store::RunInfo run_info() {
  store::RunInfo run;
  run.id = 12;
  run.uuid = "0b4bbd5c-0000-4000-8000-000000000000";
  run.started_unix_ms = 1'767'225'600'250;  // 2026-01-01T00:00:00.250Z
  run.host = "gpu-7";
  return run;
}

std::vector<store::CaseResult> results() {
  return {
      measured("gemm.square-4096.bf16", 172'001),
      ended("gemm.crash.bf16", core::Status::failed, core::ExitCode::cannot_run, "phase check: <&\x01\"'>\n  fix: x"),
      ended("gemm.skip.bf16", core::Status::skipped, core::ExitCode::skipped, "needs compute capability 100"),
      ended("gemm.wrong.bf16", core::Status::wrong, core::ExitCode::wrong_result, "y[3] is 1")};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exported)

BOOST_AUTO_TEST_CASE(milliseconds_are_moved_not_rounded) {
  BOOST_TEST(exchange::exact_ms(172'001) == "0.172001");
  BOOST_TEST(exchange::exact_ms(37'007.5) == "0.0370075");
  BOOST_TEST(exchange::exact_ms(1e6) == "1");
  BOOST_TEST(exchange::exact_ms(0) == "0");
  BOOST_TEST(exchange::exact_ms(1) == "0.000001");
  BOOST_TEST(exchange::exact_ms(123'456'789'012'345.0) == "123456789.012345");
}

BOOST_AUTO_TEST_CASE(junit_comes_back_through_the_import_to_the_last_digit) {
  const auto file = exchange::parse_junit(exchange::junit_of(run_info(), results()), "out.xml", 1, std::string());
  BOOST_REQUIRE_EQUAL(file.runs.size(), 1U);
  BOOST_TEST(file.runs[0].info.started_unix_ms == run_info().started_unix_ms);
  BOOST_TEST(file.runs[0].info.host == "gpu-7");
  const store::CaseResult back = found(file.runs[0].results, "gemm.square-4096.bf16");
  const store::CaseResult sent = measured("gemm.square-4096.bf16", 172'001);
  BOOST_TEST(back.identity.op == "gemm");
  BOOST_TEST(back.identity.dtype == "bf16");
  BOOST_TEST((back.identity.flops == sent.identity.flops));
  BOOST_TEST((back.identity.bytes_read == sent.identity.bytes_read));
  BOOST_TEST((back.identity.bytes_written == sent.identity.bytes_written));
  BOOST_REQUIRE_EQUAL(back.attempts.at(0).implementations.size(), 2U);
  BOOST_TEST(back.attempts[0].wall_ns == 250'000'000);
  for (std::size_t i = 0; i < 2; ++i) {
    const core::ImplementationResult& one = back.attempts[0].implementations[i];
    const core::SampleFigures was = core::figures_of(sent.attempts[0].implementations[i]);
    BOOST_TEST(one.measurement.name == (i == 0 ? "" : "cublas"));
    BOOST_REQUIRE(one.imported && one.imported->summary);
    const core::Summary& is = *one.imported->summary;
    BOOST_TEST(is.busy_ns == *was.busy_ns);
    BOOST_TEST((is.p10_ns == was.p10_ns && is.p90_ns == was.p90_ns));
    BOOST_TEST((is.latency_ns == was.latency_ns && is.gap_ns == was.gap_ns));
    BOOST_TEST((is.readings == 21 && is.n_kernels == 1));
    BOOST_TEST(one.imported->protocol == "opgate-1");
    BOOST_TEST(one.imported->timing == "cupti");
  }
  BOOST_TEST((found(file.runs[0].results, "gemm.skip.bf16").attempts[0].status == core::Status::skipped));
  const store::CaseResult crash = found(file.runs[0].results, "gemm.crash.bf16");
  BOOST_TEST((crash.attempts[0].status == core::Status::failed));
  BOOST_TEST(crash.attempts[0].message.find("phase check: <& \"'>") != std::string::npos, crash.attempts[0].message);
}

BOOST_AUTO_TEST_CASE(junit_counts_failures_errors_and_skips) {
  const std::string text = exchange::junit_of(run_info(), results());
  BOOST_TEST(text.find(R"(tests="4" failures="1" errors="1" skipped="1")") != std::string::npos, text);
  BOOST_TEST(text.find(R"(<property name="device_busy_ms" value="0.172002" />)") != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(google_benchmark_comes_back_through_the_import) {
  const std::string text = exchange::google_benchmark_of(run_info(), results());
  const auto file = exchange::parse_google_benchmark(text, "out.json", 1);
  BOOST_REQUIRE_EQUAL(file.runs.size(), 1U);
  BOOST_TEST(file.runs[0].info.started_unix_ms == run_info().started_unix_ms);
  const store::CaseResult back = found(file.runs[0].results, "gemm.square-4096.bf16");
  BOOST_TEST(back.attempts[0].implementations[0].imported->summary->busy_ns == 172'002);
  BOOST_TEST((back.attempts[0].implementations[0].imported->summary->readings == 21));
  BOOST_TEST((found(file.runs[0].results, "gemm.crash.bf16").attempts[0].status == core::Status::failed));
  BOOST_TEST((found(file.runs[0].results, "gemm.skip.bf16").attempts[0].status == core::Status::skipped));
}

// What tools/gbench/{util,report}.py of Google Benchmark 1.7 read of an entry.
BOOST_AUTO_TEST_CASE(google_benchmark_has_every_field_that_its_tools_read) {
  const auto json = nlohmann::json::parse(exchange::google_benchmark_of(run_info(), results()));
  BOOST_TEST(json.at("context").at("date").is_string());
  BOOST_TEST(json.at("benchmarks").size() == 4U);
  for (const auto& entry : json.at("benchmarks")) {
    for (const char* key : {"name", "run_name", "run_type", "time_unit"}) BOOST_TEST(entry.at(key).is_string());
    for (const char* key : {"real_time", "cpu_time"}) BOOST_TEST(entry.at(key).is_number_float());
    for (const char* key :
         {"family_index", "per_family_instance_index", "repetitions", "repetition_index", "threads", "iterations"}) {
      BOOST_TEST(entry.at(key).is_number_integer());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
