#include <boost/test/unit_test.hpp>
#include <optional>
#include <string>
#include <vector>

#include "exchange/csv.hpp"
#include "exchange/google_benchmark.hpp"
#include "exchange/imported.hpp"
#include "exchange/imported_file.hpp"
#include "exchange/junit.hpp"
#include "exchange/nvbench.hpp"
#include "opgate/error.hpp"
#include "text/clear_error.hpp"

using namespace opgate;

namespace {

exchange::ImportedFile junit(const std::string& text) {
  return exchange::parse_junit(text, "in.xml", 0, std::nullopt);
}
exchange::ImportedFile csv(const std::string& text) {
  return exchange::parse_sample_csv("run,case,iteration,busy_ns,latency_ns,n_kernels,sm_mhz\n" + text, "in.csv", 0);
}
exchange::ImportedFile nvbench(const std::string& text) {
  return exchange::parse_nvbench(text, "in.json", 0);
}
exchange::ImportedFile google_benchmark(const std::string& text) {
  return exchange::parse_google_benchmark(text, "in.json", 0);
}

template <class Make>
std::string many(std::size_t count, const Make& make) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += make(std::to_string(i));
  return text;
}

void check_clear(const std::string& message, const std::string& expected) {
  BOOST_TEST(message.find(expected) != std::string::npos, message.substr(0, 500) << " lacks " << expected);
  BOOST_TEST(message.size() < 13'000U);
  BOOST_TEST(text::readable(message) == message);
}

constexpr std::size_t kTooMany = exchange::kMostResults + 1;

}  // namespace

BOOST_AUTO_TEST_SUITE(hostile)

// Each was dropped from a list by itself, which took minutes.
BOOST_AUTO_TEST_CASE(many_implementations_without_a_reading_take_no_quadratic_time) {
  constexpr std::size_t kCount = 300'000;
  const std::string properties =
      many(kCount, [](const std::string& i) { return "<property name=\"i" + i + "_latency_ns\" value=\"0\"/>"; });
  const auto file = junit("<testsuite><testcase name=\"a\"><properties>" + properties +
                          "<property name=\"x_latency_ns\" value=\"5\"/></properties></testcase></testsuite>");
  BOOST_TEST(file.ignored == static_cast<std::int64_t>(kCount));
  const auto& attempt = file.runs.at(0).results.at(0).attempts.at(0);
  BOOST_TEST(attempt.implementations.size() == 1U);
}

// Every state looked through all of them.
BOOST_AUTO_TEST_CASE(many_devices_and_states_take_no_quadratic_time) {
  const std::string devices =
      many(100'000, [](const std::string& i) { return "{\"id\":" + i + ",\"name\":\"g" + i + "\"},"; });
  const std::string states = many(100'000, [](const std::string& i) {
    return std::string(i == "0" ? "" : ",") +
           "{\"device\":99999,\"is_skipped\":true,\"axis_values\":[{\"name\":\"n\",\"type\":"
           "\"int64\",\"value\":\"" +
           i + "\"}]}";
  });
  const auto file =
      nvbench("{\"devices\":[" + devices +
              "{\"id\":-5,\"name\":\"last\"}],\"benchmarks\":[{\"name\":\"b\",\"states\":[" + states + "]}]}");
  BOOST_TEST(file.runs.at(0).results.size() == 100'000U);
  BOOST_TEST(file.runs[0].results[0].attempts.at(0).device.name == "g99999");
}

BOOST_AUTO_TEST_CASE(results_are_counted_before_they_take_memory) {
  check_clear(test::problem_of(csv, many(kTooMany, [](const std::string& i) { return "1,c" + i + ",0,1,1,,\n"; })),
              "more than 500000 results");
  check_clear(test::problem_of(
                  junit, "<testsuite>" + many(kTooMany, [](const auto&) { return "<testcase/>"; }) + "</testsuite>"),
              "more than 500000 test cases");
  check_clear(test::problem_of(nvbench, "{\"devices\":[],\"benchmarks\":[{\"name\":\"b\",\"states\":[{}" +
                                            many(kTooMany - 1, [](const auto&) { return ",{}"; }) + "]}]}"),
              "more than 500000 states");
  check_clear(
      test::problem_of(google_benchmark,
                       "{\"context\":{},\"benchmarks\":[{\"name\":\"b\"}" +
                           many(kTooMany - 1, [](const std::string& i) { return ",{\"name\":\"" + i + "\"}"; }) + "]}"),
      "more than 500000 benchmarks");
}

BOOST_AUTO_TEST_CASE(errors_repeat_no_control_characters_and_no_megabytes) {
  const std::string hostile = "\x1b[2J\x07\xff";
  check_clear(test::problem_of(csv, "1,a,0," + hostile + ",1,,\n"), "busy_ns is '");
  check_clear(test::problem_of(junit, "<testsuite timestamp=\"\x1b[2J\"/>"), "timestamp is '");
  check_clear(test::problem_of(junit, "<testsuite><testcase name=\"" + std::string(2'000, 'n') + "\"/></testsuite>"),
              "has 2000 bytes");
  check_clear(test::problem_of(google_benchmark,
                               "{\"context\":{\"date\":\"" + std::string(5'000'000, 'd') + "\"},\"benchmarks\":[]}"),
              "date is no time");
  check_clear(test::problem_of(nvbench,
                               "{\"" + std::string(5'000'000, 'k') + "\":1,\"" + std::string(5'000'000, 'k') + "\":2}"),
              "appears twice");
}

BOOST_AUTO_TEST_CASE(no_name_becomes_a_path) {
  for (const std::string& name :
       std::vector<std::string>{"../../etc/passwd", "/etc/passwd.w.f32", "..", "a\\..\\b.c.f32"}) {
    const auto file = csv("1,\"" + name + "\",0,1,1,,\n");
    BOOST_TEST(file.runs.at(0).results.at(0).identity.name == name);
    BOOST_TEST(file.runs[0].results[0].identity.op == "imported");
  }
  BOOST_TEST(exchange::op_of("../../etc/Passwd") == "imported");
  BOOST_TEST(exchange::op_of("a/../b") == "a____b");
}

BOOST_AUTO_TEST_CASE(numbers_beyond_a_double_are_no_readings) {
  for (const char* value : {"1e309", "nan", "inf", "-inf", "0x10", "1e99999999999"}) {
    check_clear(test::problem_of(
                    junit, "<testsuite><testcase name=\"a\"><properties><property name=\"device_busy_ns\" value=\"" +
                               std::string(value) + "\"/></properties></testcase></testsuite>"),
                "device_busy_ns is '");
    check_clear(test::problem_of(csv, "1,a,0," + std::string(value) + ",1,,\n"), "busy_ns is '");
  }
  check_clear(test::problem_of(google_benchmark,
                               "{\"context\":{},\"benchmarks\":[{\"name\":\"a\",\"iterations\":1,\"real_time\":1e308,"
                               "\"time_unit\":\"s\"}]}"),
              "in.json:1: ");
}

BOOST_AUTO_TEST_SUITE_END()
