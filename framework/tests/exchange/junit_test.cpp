#include "exchange/junit.hpp"

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

exchange::ImportedFile parse(const std::string& text, const std::optional<std::string>& ours = std::nullopt) {
  return exchange::parse_junit(text, "in.xml", 77, ours);
}

exchange::ImportedFile fixture(const std::optional<std::string>& ours = std::nullopt) {
  return parse(text::read_file(OPGATE_TEST_DATA "/imports/junit.xml", ErrorKind::io), ours);
}

std::string suite(const std::string& cases) {
  return "<testsuite>" + cases + "</testsuite>";
}

std::string test_case(const std::string& name, const std::string& properties) {
  return "<testcase name=\"" + name + "\"><properties>" + properties + "</properties></testcase>";
}

std::string property(const std::string& name, const std::string& value) {
  return "<property name=\"" + name + "\" value=\"" + value + "\"/>";
}

std::string problem(const std::string& text) {
  return test::problem_of([](const std::string& one) { return parse(one); }, text);
}

const store::CaseResult& found(const exchange::ImportedFile& file, std::string_view name) {
  return test::found(file.runs.at(0).results, name);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(junit)

BOOST_AUTO_TEST_CASE(figures_come_in_nanoseconds_with_what_they_stand_for) {
  const auto file = fixture();
  const store::CaseResult& result = found(file, "bench.norm.test_norm[small-float16]");
  BOOST_TEST(result.identity.op == "normfwdop");
  BOOST_TEST(result.identity.dtype == "float16");
  BOOST_TEST(result.identity.flops.value() == 4194304.0);
  BOOST_TEST(result.identity.bytes.value() == 4194304.0);
  BOOST_TEST(!result.identity.bytes_read.has_value());
  BOOST_TEST(
      result.labels == (std::vector<std::string>{"op=NormFwdOp", "op_module=mine.ops.norm", "baseline_tag=lib-ref"}),
      boost::test_tools::per_element());
  const core::Attempt& attempt = result.attempts.at(0);
  BOOST_TEST(attempt.started_unix_ms == 1772582523250);
  BOOST_TEST(attempt.wall_ns == 1'500'000'000);
  BOOST_REQUIRE(attempt.implementations.size() == 2U);  // the baseline's figures are not counted twice
  const core::ImplementationResult& ours = attempt.implementations[0];
  BOOST_TEST(ours.measurement.name.empty());
  BOOST_TEST(ours.measurement.samples.empty());
  BOOST_TEST(ours.imported->name == "mine");
  BOOST_TEST(ours.imported->timing == "cupti");
  BOOST_TEST(ours.imported->protocol.empty());
  BOOST_TEST(ours.imported->properties.at("tflops") == "1.12978");
  const core::Summary summary = ours.imported->summary.value();
  BOOST_TEST(summary.busy_ns == 3712.5);
  BOOST_TEST(summary.latency_ns.value() == 4000.0);
  BOOST_TEST(summary.gap_ns.value() == 287.5);
  BOOST_TEST(summary.p10_ns.value() == 3648.0);
  BOOST_TEST(summary.p90_ns.value() == 3840.0);
  BOOST_TEST(summary.readings.value() == 200);
  BOOST_TEST(summary.n_kernels.value() == 1);
  const core::ImplementationResult& library = attempt.implementations[1];
  BOOST_TEST(library.measurement.name == "lib-ref");
  BOOST_TEST(library.imported->summary->busy_ns == 7500.0);
  BOOST_TEST(library.imported->summary->latency_ns.value() == 8250.0);
  BOOST_TEST(library.imported->properties.at("flops") == "4194305");  // not what ours does
  BOOST_TEST(library.imported->properties.at("ratio") == "2.02");
}

BOOST_AUTO_TEST_CASE(skipped_and_failed_tests_stay_what_they_are) {
  const auto file = fixture();
  const store::CaseResult& skipped = found(file, "bench.norm.test_norm[odd-float16]");
  BOOST_TEST((skipped.exit_code == core::ExitCode::skipped));
  BOOST_TEST((skipped.attempts.at(0).status == core::Status::skipped));
  BOOST_TEST(skipped.attempts[0].message == "odd rows are not supported\nnorm.py:12: odd rows are not supported");
  const store::CaseResult& failed = found(file, "bench.norm.test_norm[huge-float16]");
  BOOST_TEST((failed.exit_code == core::ExitCode::cannot_run));
  BOOST_TEST((failed.attempts.at(0).status == core::Status::failed));
  BOOST_TEST(failed.attempts[0].message == "AssertionError: 3 of 4096 elements differ\nat norm.py:99 <module>");
}

BOOST_AUTO_TEST_CASE(one_file_is_one_run) {
  const auto file = fixture();
  BOOST_REQUIRE(file.runs.size() == 1U);
  const store::RunInfo& run = file.runs[0].info;
  BOOST_TEST(run.host == "gpu-7");
  BOOST_TEST(run.started_unix_ms == 1772582523250);
  BOOST_TEST(run.closed_unix_ms.value() == 1772584200000);
  BOOST_TEST(run.selected.size() == 5U);  // all but the test without figures
  BOOST_TEST(file.runs[0].results.size() == 5U);
  BOOST_TEST(file.notes.size() == 2U);
  BOOST_TEST(file.notes.at(0).find("'mine' is taken for the op itself") != std::string::npos);
  BOOST_TEST(file.notes.at(1) == "1 passed without a figure and is left out");
  BOOST_TEST(run.uuid == fixture().runs[0].info.uuid);
}

BOOST_AUTO_TEST_CASE(another_implementation_can_be_named_ours) {
  const auto file = fixture("lib-ref");
  const auto& implementations = found(file, "bench.norm.test_norm[small-float16]").attempts.at(0).implementations;
  BOOST_TEST(implementations.at(0).measurement.name == "mine");
  BOOST_TEST(implementations.at(1).measurement.name.empty());
  BOOST_CHECK_THROW(static_cast<void>(fixture("nobody")), Error);
  const auto only_library = found(fixture(), "bench.norm.test_norm[wide-float16]").attempts.at(0).implementations;
  BOOST_TEST(only_library.at(0).measurement.name == "lib-ref");  // ours has no figure there, and gets none
}

BOOST_AUTO_TEST_CASE(figures_may_stand_without_an_implementation) {
  const auto file = parse(
      suite(test_case("a", property("device_busy_ns", "1700") + property("n_kernels", "1") + property("owner", "me")) +
            test_case("b", property("latency_us", "5"))));
  const auto& ours = found(file, "a").attempts.at(0).implementations.at(0);
  BOOST_TEST(ours.imported->summary->busy_ns == 1700.0);
  BOOST_TEST(ours.kernel_groups.at(0) == "1 kernel");
  BOOST_TEST(found(file, "a").labels.at(0) == "owner=me");
  const auto& span = found(file, "b").attempts.at(0).implementations.at(0);
  BOOST_TEST(span.imported->summary->busy_ns == 5000.0);
  BOOST_TEST(span.imported->timing == "latency");
}

BOOST_AUTO_TEST_CASE(a_baseline_without_a_copy_keeps_its_figures) {
  const auto file = parse(suite(test_case("a", property("x_device_busy_ms", "1") + property("baseline_tag", "lib") +
                                                   property("baseline_device_busy_ms", "2"))));
  const auto& implementations = found(file, "a").attempts.at(0).implementations;
  BOOST_REQUIRE(implementations.size() == 2U);
  BOOST_TEST(implementations[1].measurement.name == "lib");
  BOOST_TEST(implementations[1].imported->summary->busy_ns == 2e6);
}

BOOST_AUTO_TEST_CASE(readings_of_zero_or_less_are_no_readings) {
  const auto file = parse(suite(test_case("a", property("device_busy_ms", "0"))));
  BOOST_TEST(file.ignored == 1);
  BOOST_TEST((found(file, "a").attempts.at(0).status == core::Status::untrusted));
}

BOOST_AUTO_TEST_CASE(a_test_that_is_there_twice_was_recorded_twice) {
  const auto file =
      parse(suite(test_case("a", property("device_busy_ms", "1")) + test_case("a", property("device_busy_ms", "2"))));
  const store::CaseResult& result = found(file, "a");
  BOOST_TEST(result.times_recorded == 2);
  BOOST_REQUIRE(result.attempts.size() == 2U);
  BOOST_TEST(result.attempts[1].number == 2);
  BOOST_TEST(result.attempts[1].purpose == "repeat");
}

BOOST_AUTO_TEST_CASE(every_wrong_input_names_its_place) {
  const std::string good = test_case("a", property("device_busy_ms", "1"));
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"", "in.xml:1:1: not valid XML"},
      {"<testsuite>\n<testcase name=\"a\">", "in.xml:2:"},
      {"<testsuite>\n <a></b></testsuite>", "in.xml:2:"},
      {"<html/>", "in.xml:1:2: the root is <html>"},
      {"<testsuite/><testsuite/>", "in.xml:1:14: a second root element"},
      {"<testsuite/>", "in.xml:1:1: no test case has a figure"},
      {suite("<testcase/>"), "in.xml:1:13: the case has no printable name"},
      {suite(test_case("a\" status=\"\n", property("device_busy_ms", "fast"))),
       "in.xml:2:16: device_busy_ms is 'fast'"},
      {suite(test_case("a", property("device_busy_ms", "nan"))), "in.xml:1:44: device_busy_ms is 'nan'"},
      {suite(test_case("a", property("device_busy_s", "1e300"))), "in.xml:1:44: device_busy_s is '1e300'"},
      {suite(test_case("a", property("x_latency_ms", "1") + property("x_n_kernels", "-1"))),
       "in.xml:1:85: x_n_kernels is '-1'"},
      {suite(test_case("a", property("x_latency_ms", "1") + property("x_flops", "inf"))),
       "in.xml:1:85: x_flops is 'inf'"},
      {suite(test_case("a", property("device_busy_ms", "1") + property("device_busy_ms", "2"))),
       "in.xml:1:87: property 'device_busy_ms' appears twice"},
      {"<testsuite timestamp=\"noon\">" + good + "</testsuite>", "in.xml:1:2: timestamp is 'noon'"},
      {suite("<testcase name=\"a\" time=\"nan\"/>"), "in.xml:1:13: time is 'nan'"},
      {"<!DOCTYPE t [<!ENTITY a \"b\">]><testsuite/>", "in.xml:1:"},
      {suite(test_case("\xe4", property("device_busy_ms", "1"))), "in.xml:1:1: the XML is not UTF-8"},
      {std::string("<testsuite>\0</testsuite>", 24), "in.xml:1:12: the XML contains a NUL byte"},
      {suite(test_case(std::string(1025, 'n'), property("device_busy_ms", "1"))),
       "in.xml:1:13: the name of the case has 1025 bytes"}};
  for (const auto& [text, expected] : wrong) {
    BOOST_TEST_CONTEXT(expected << " but got: " << problem(text)) BOOST_TEST(problem(text).starts_with(expected));
  }
}

BOOST_AUTO_TEST_CASE(no_entity_expands) {
  std::string bomb = "<?xml version=\"1.0\"?><!DOCTYPE lolz [<!ENTITY a0 \"lol\">";
  for (int i = 1; i < 10; ++i) {
    bomb += "<!ENTITY a" + std::to_string(i) + " \"";
    for (int k = 0; k < 10; ++k) bomb += "&a" + std::to_string(i - 1) + ";";
    bomb += "\">";
  }
  bomb += "]><testsuite><testcase name=\"&a9;\"/></testsuite>";
  BOOST_TEST(problem(bomb).find("declares a document type") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(depth_is_bounded) {
  std::string deep;
  for (int i = 0; i < 200'000; ++i) deep += "<testsuite>";
  std::string closed = deep;
  for (int i = 0; i < 200'000; ++i) closed += "</testsuite>";
  BOOST_TEST(problem(closed).find("nested more than 64 levels deep") != std::string::npos);
  BOOST_TEST(problem(deep).starts_with("in.xml:1:"));
  std::string attributes = "<testsuite";
  for (int i = 0; i < 300'000; ++i) attributes += " a" + std::to_string(i) + "=''";
  BOOST_TEST(problem(attributes + "/>").find("no test case has a figure") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(long_messages_are_cut) {
  const auto file =
      parse(suite("<testcase name=\"a\"><failure message=\"" + std::string(1'000'000, 'm') + "\"/></testcase>"));
  const std::string& message = found(file, "a").attempts.at(0).message;
  BOOST_TEST(message.size() < 17'000U);
  BOOST_TEST(message.ends_with("[cut]"));
}

BOOST_AUTO_TEST_SUITE_END()
