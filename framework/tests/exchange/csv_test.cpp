#include "exchange/csv.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <utility>
#include <vector>

#include "opgate/error.hpp"

using namespace opgate;

namespace {

const std::string kHeader = "run,case,iteration,busy_ns,latency_ns,n_kernels,sm_mhz\n";

exchange::ImportedFile parse(const std::string& rows) {
  return exchange::parse_sample_csv(kHeader + rows, "in.csv", 77);
}

std::string problem(const std::string& text) {
  try {
    (void)exchange::parse_sample_csv(text, "in.csv", 0);
  } catch (const Error& error) {
    BOOST_TEST((error.kind() == ErrorKind::io));
    BOOST_TEST(!error.remedy().empty());
    return error.what();
  }
  return "no error";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(csv)

BOOST_AUTO_TEST_CASE(rows_become_runs_and_cases_in_order) {
  const auto file = parse("2,b,1,30,31,1,1980\n2,b,0,20,20,1,1965\n1,z,0,5,5,,\n2,a,0,10,10,1,1980\n");
  BOOST_REQUIRE(file.runs.size() == 2U);
  BOOST_TEST(file.runs[0].info.id == 1);
  BOOST_TEST(file.runs[1].info.id == 2);
  BOOST_TEST(file.runs[1].samples == 3);
  const auto& results = file.runs[1].results;
  BOOST_REQUIRE(results.size() == 2U);
  BOOST_TEST(results[0].identity.name == "a");
  const auto& samples = results[1].attempts.at(0).implementations.at(0).measurement.samples;
  BOOST_REQUIRE(samples.size() == 2U);
  BOOST_TEST(samples[0].busy_ns == 20);
  BOOST_TEST(samples[1].latency_ns == 31);
  BOOST_TEST(samples[1].gap_ns == 1);
  BOOST_TEST(samples[0].sm_mhz.value() == 1965);
  BOOST_TEST(results[1].attempts[0].device.max_sm_mhz == 1980);
  BOOST_TEST(results[1].attempts[0].started_unix_ms == 77);
  const auto& ours = file.runs[0].results[0].attempts[0].implementations[0];
  BOOST_TEST(!ours.measurement.samples[0].n_kernels.has_value());
  BOOST_REQUIRE(ours.imported.has_value());  // the file does not say how it was taken
  BOOST_TEST((*ours.imported == core::Imported{}));
}

BOOST_AUTO_TEST_CASE(columns_may_stand_in_any_order_and_lines_end_as_they_like) {
  const auto file = exchange::parse_sample_csv(
      "\xef\xbb\xbf"
      "case,run,sm_mhz,n_kernels,latency_ns,busy_ns,iteration\r\n\"a,\"\"b\",4,1980,2,9,8,0\r\n\r\n",
      "in.csv", 0);
  BOOST_TEST(file.runs.at(0).info.id == 4);
  BOOST_TEST(file.runs[0].results.at(0).identity.name == "a,\"b");
  BOOST_TEST(file.runs[0].results[0].attempts[0].implementations[0].measurement.samples[0].n_kernels.value() == 2);
}

BOOST_AUTO_TEST_CASE(iterations_with_equal_kernel_counts_form_groups) {
  const auto file = parse("1,alt,0,10,10,2,\n1,alt,1,5,5,1,\n1,alt,2,10,10,2,\n");
  const auto& ours = file.runs.at(0).results.at(0).attempts.at(0).implementations.at(0);
  BOOST_TEST(ours.kernel_groups == (std::vector<std::string>{"1 kernel", "2 kernels"}),
             boost::test_tools::per_element());
  BOOST_TEST(ours.measurement.samples[0].group == 1U);
  BOOST_TEST(ours.measurement.samples[1].group == 0U);
}

BOOST_AUTO_TEST_CASE(the_uuid_follows_the_content_not_the_order) {
  const auto one = parse("1,a,0,10,10,1,\n1,b,0,20,20,1,\n");
  BOOST_TEST(parse("1,b,0,20,20,1,\n1,a,0,10,10,1,\n").runs[0].info.uuid == one.runs[0].info.uuid);
  for (const std::string other :
       {"1,a,0,10,10,1,\n1,b,0,21,21,1,\n", "1,a,0,10,10,1,\n1,c,0,20,20,1,\n", "2,a,0,10,10,1,\n2,b,0,20,20,1,\n",
        "1,a,0,10,10,1,\n1,b,0,20,20,,\n", "1,a,0,10,10,1,\n1,b,0,20,20,1,\n1,b,1,0,0,1,\n"}) {
    BOOST_TEST(parse(other).runs[0].info.uuid != one.runs[0].info.uuid);
  }
}

BOOST_AUTO_TEST_CASE(readings_of_zero_or_less_are_no_readings) {
  const auto file = parse("1,a,0,0,0,1,\n1,a,1,-7,3,1,\n1,a,2,10,10,1,\n1,b,0,0,0,1,\n");
  BOOST_TEST(file.ignored == 3);
  BOOST_TEST(file.runs[0].samples == 1);
  BOOST_TEST((file.runs[0].results.at(1).attempts.at(0).status == core::Status::untrusted));
  BOOST_TEST((file.runs[0].results[1].exit_code == core::ExitCode::untrusted));
}

BOOST_AUTO_TEST_CASE(every_wrong_input_names_its_line) {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"", "in.csv:1: the header line is missing"},
      {"run,case\n", "in.csv:1: there is no column 'iteration'"},
      {"run,case,iteration,busy_ns,latency_ns,n_kernels,sm_mhz,more\n", "in.csv:1: the header has an unknown"},
      {kHeader, "in.csv:1: no samples"},
      {kHeader + "1,a,0,10,10,1\n", "in.csv:2: 6 fields instead of 7"},
      {kHeader + "1,a,0,10,10,1,1980,9\n", "in.csv:2: 8 fields instead of 7"},
      {kHeader + "x,a,0,10,10,1,\n", "in.csv:2: run is 'x'"},
      {kHeader + "-1,a,0,10,10,1,\n", "in.csv:2: run is '-1'"},
      {kHeader + "1,a,0,1.5,10,1,\n", "in.csv:2: busy_ns is '1.5'"},
      {kHeader + "1,a,0,99999999999999999999,10,1,\n",
       "in.csv:2: busy_ns is '99999999999999999999'\n  fix: write an integer from -9223372036854775808 to "},
      {kHeader + "1,a,0,10,,1,\n", "in.csv:2: latency_ns is ''"},
      {kHeader + "1,a,0,10,9,1,\n", "in.csv:2: latency_ns 9 is below busy_ns 10"},
      {kHeader + "1,a,0,10,10,0,\n", "in.csv:2: n_kernels is 0"},
      {kHeader + "1,a,0,10,10,1,fast\n", "in.csv:2: sm_mhz is 'fast'"},
      {kHeader + "1,,0,10,10,1,\n", "in.csv:2: the case has no printable name"},
      {kHeader + "1,\xe4,0,10,10,1,\n", "in.csv:2: the name of the case is not UTF-8"},
      {kHeader + "1,\"a,0,10,10,1,\n", "in.csv:2: a quote is not closed"},
      {kHeader + "1,\"a\"b,0,10,10,1,\n", "in.csv:2: text after a closing quote"},
      {kHeader + "1,a,0,10,10,1,\n1,b,0,1,1,1,\n1,a,0,11,11,1,\n",
       "in.csv:4: iteration 0 of a in run 1 stands on line 2 already"},
      {kHeader + "1," + std::string(1025, 'n') + ",0,10,10,1,\n", "in.csv:2: the name of the case has 1025 bytes"},
      {kHeader + std::string(1'000'000, ','), "in.csv:2: more than 64 fields"},
      {std::string(1'000'000, ','), "in.csv:1: more than 64 fields"},
      {kHeader + "1,a,0,nan,10,1,\n", "in.csv:2: busy_ns is 'nan'"},
      {kHeader + "1,a,0," + std::string(1'000'000, '9') + ",10,1,\n",
       "in.csv:2: busy_ns is '9999999999999999999999999999999999999999...'"},
      {std::string("run\0", 4), "in.csv:1: the file is not text"}};
  for (const auto& [text, expected] : wrong) {
    BOOST_TEST_CONTEXT(expected << " but got: " << problem(text)) BOOST_TEST(problem(text).starts_with(expected));
  }
}

BOOST_AUTO_TEST_CASE(names_are_taken_as_they_are) {
  const auto full = exchange::imported_identity("gemm.decode-1.bf16");
  BOOST_TEST(full.op == "gemm");
  BOOST_TEST(full.workload == "decode-1");
  BOOST_TEST(full.dtype == "bf16");
  const auto plain = exchange::imported_identity("tiny");
  BOOST_TEST(plain.op == "tiny");
  BOOST_TEST(plain.workload.empty());
  BOOST_TEST(exchange::imported_identity("gemm.x.f99").workload.empty());
  BOOST_TEST(exchange::imported_identity("../../etc/passwd").op == "imported");
  BOOST_TEST(exchange::imported_identity("BM_Copy/4096").op == "imported");
  BOOST_TEST(exchange::imported_identity("BM_Copy/4096").name == "BM_Copy/4096");
}

BOOST_AUTO_TEST_SUITE_END()
