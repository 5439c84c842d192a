#include <boost/test/unit_test.hpp>

#include <nlohmann/json.hpp>

#include "report/report_json.hpp"
#include "report/report_samples.hpp"
#include "report/samples.hpp"

namespace opgate::report::test {
namespace {

std::vector<nlohmann::json> parsed(const Report& report) {
  std::vector<nlohmann::json> lines;
  for (const std::string& line : report_json(report)) {
    BOOST_TEST(line.find('\n') == std::string::npos);
    lines.push_back(nlohmann::json::parse(line));
  }
  return lines;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(report_json)

BOOST_AUTO_TEST_CASE(a_run_of_everything) {
  std::string text;
  for (const std::string& line : report::report_json(everything_report())) text += line + '\n';
  check_golden("report_everything.jsonl", text);
  check_golden("report_everything.csv", report_csv(everything_report()));
}

BOOST_AUTO_TEST_CASE(what_is_not_known_is_null) {
  for (const auto& line : parsed(everything_report())) {
    if (line["record"] == "run" || line["outcome"] == "pass") continue;
    const bool number = !line["busy_ns"].is_null();
    const std::string outcome = line["outcome"];
    const bool untrusted = outcome == "wrong" || outcome == "untrusted" || outcome == "failed" ||
                           outcome == "missing" || outcome == "running" || outcome == "skipped";
    BOOST_TEST(number != untrusted, line.dump());
    if (untrusted) BOOST_TEST(line["measured_ns"].is_null());
  }
}

BOOST_AUTO_TEST_CASE(a_number_says_which_ceiling_it_is_near) {
  for (const auto& line : parsed(everything_report())) {
    if (line["record"] != "case") continue;
    BOOST_TEST(line["ceiling"].is_null() == line["busy_ns"].is_null(), line.dump());
    if (line["ceiling"].is_null()) continue;
    const bool measured = line["case"] == "a.pass";
    BOOST_TEST(line["ceiling"]["bound"] == "compute");
    BOOST_TEST(line["ceiling"]["source"] == (measured ? "measured" : "peak"));
    BOOST_TEST(line["ceiling"]["measured_unix_ms"].is_null() == !measured);
    BOOST_TEST(line["ceiling"]["percent"].get<double>() ==
                   100 * 137438953472.0 / 189'696 / (measured ? 800'000 : 132 * 4096 * 1.98),
               boost::test_tools::tolerance(1e-9));
  }
}

BOOST_AUTO_TEST_CASE(a_waiver_changes_the_outcome_and_not_the_verdict) {
  for (const auto& line : parsed(everything_report())) {
    if (line["record"] != "case" || line["case"] != "m.waived") continue;
    BOOST_TEST(line["outcome"] == "waived");
    BOOST_TEST(line["verdict"] == "regressed");
    BOOST_TEST(line["waiver"]["owner"] == "Ada");
    BOOST_TEST(line["waiver"].contains("device"));  // as judge --json has it
    return;
  }
  BOOST_FAIL("no line of m.waived");
}

BOOST_AUTO_TEST_CASE(the_trend_is_oldest_first_with_its_change_points) {
  const auto lines = parsed(everything_report());
  const auto& regressed = lines[2];
  BOOST_TEST(regressed["case"] == "b.regressed");
  BOOST_TEST(regressed["trend"].size() == 24U);
  BOOST_TEST(regressed["trend"][0]["commit"] == "commit-0");
  BOOST_TEST(regressed["trend"][23]["limit_ns"] == 101'000.0);
  BOOST_TEST(regressed["change_points"].size() == 1U);
  BOOST_TEST(regressed["change_points"][0]["first_after_commit"] == "commit-12");
}

BOOST_AUTO_TEST_CASE(hostile_texts_come_back_whole) {
  const auto lines = parsed(hostile_report());
  const std::string name = lines.at(1)["case"];
  BOOST_TEST(name.starts_with("a|`b`<img src=x onerror=alert(1)>[c](http://d)@e\n| f | "));
  const std::string csv = report_csv(hostile_report());
  BOOST_TEST(csv.find("\n| f | \xff\x1b[31m</script>\"\"\",regressed,measured,1,regressed,") != std::string::npos, csv);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::report::test
