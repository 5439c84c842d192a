#include <boost/test/unit_test.hpp>

#include "app/desk.hpp"
#include "text/file.hpp"

using namespace opgate;
using namespace opgate::tests;

namespace {

void put(store::History& history, std::int64_t day, int busy_ns, core::ExitCode code = core::ExitCode::pass) {
  store::RunInfo run;
  run.origin = "ctest";
  run.started_unix_ms = 1'767'225'600'000 + day * 86'400'000;  // 2026-01-01
  run.closed_unix_ms = run.started_unix_ms + 1;
  run.selected = {"add.small.f16", "add.missing.f16"};
  const std::int64_t id = history.open_run(run);
  history.select(id, run.selected);
  store::CaseResult result = stored_result("add.small.f16", busy_ns);
  result.attempts.front().implementations.front().imported.reset();
  result.exit_code = code;
  history.put_result(id, result);
  store::CaseResult other = stored_result("add.missing.f16", 5000);
  if (day < 3) history.put_result(id, other);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(report)

BOOST_AUTO_TEST_CASE(reports_the_newest_run_or_the_one_asked_for) {
  const Desk desk;
  auto stored = desk.history();
  for (int day = 0; day < 4; ++day) put(stored, day, 2000 + day);
  const auto lines = desk.run({"report", "--format", "json"}).lines();
  BOOST_REQUIRE(lines.size() == 3U);
  BOOST_TEST(lines[0]["run"] == 4);
  BOOST_TEST(lines[0]["counts"]["missing"] == 1);
  BOOST_TEST(lines[1]["outcome"] == "missing");
  BOOST_TEST(lines[1]["trend"].size() == 3U);
  BOOST_TEST(lines[2]["trend"].size() == 4U);
  BOOST_TEST(desk.run({"report", "--json"}).lines() == lines);
  const auto second = desk.run({"report", "--json", "--run", "2"}).lines();
  BOOST_TEST(second[0]["run"] == 2);
  BOOST_TEST(second[1]["trend"].size() == 2U);  // nothing newer than the run
  BOOST_TEST(desk.run({"report"}).out.find("## opgate: 1 not run, 1 not judged of 2 expected cases") == 0U);
}

BOOST_AUTO_TEST_CASE(trends_begin_where_asked) {
  const Desk desk;
  auto stored = desk.history();
  for (int day = 0; day < 4; ++day) put(stored, day, 2000 + day);
  const auto points = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all{"report", "--json"};
    all.insert(all.end(), words.begin(), words.end());
    return desk.run(all).lines().at(2)["trend"].size();
  };
  BOOST_TEST(points({"--since", "2026-01-03"}) == 2U);
  BOOST_TEST(points({"--since", "1d"}) == 2U);
  BOOST_TEST(points({"--trend", "3"}) == 3U);
  const Said bad = desk.run({"report", "--since", "yesterday"});
  BOOST_TEST(bad.code == 64);
  BOOST_TEST(bad.err.find("write a day such as 2026-01-31, or 90d") != std::string::npos, bad.err);
}

BOOST_AUTO_TEST_CASE(writes_a_file_and_exits_by_the_run_only_when_asked) {
  const Desk desk;
  auto stored = desk.history();
  for (int day = 0; day < 4; ++day) put(stored, day, 2000);
  const std::string file = desk.at("report.csv").string();
  const Said said = desk.run({"report", "--format", "csv", "--output", file});
  BOOST_TEST(said.code == 0);
  BOOST_TEST(said.out.empty());
  BOOST_TEST(text::read_file(file, ErrorKind::io).starts_with("run,run_uuid,"));
  BOOST_TEST(desk.run({"report", "--check"}).code == 3);  // a case recorded nothing
  BOOST_TEST(desk.run({"report", "--check", "--run", "1"}).code == 0);
}

BOOST_AUTO_TEST_CASE(a_filter_leaves_the_other_cases_out) {
  const Desk desk;
  auto stored = desk.history();
  put(stored, 5, 2000);
  const auto lines = desk.run({"report", "--json", "--filter", "small"}).lines();
  BOOST_TEST(lines.size() == 2U);
  BOOST_TEST(lines[0]["expected"] == 1);
  BOOST_TEST(desk.run({"report", "--filter", "nosuch"}).code == 3);
  BOOST_TEST(desk.run({"report", "--json", "--format", "csv"}).code == 64);
}

BOOST_AUTO_TEST_CASE(comments_are_short) {
  const Desk desk;
  auto stored = desk.history();
  store::RunInfo run;
  run.origin = "ctest";
  run.closed_unix_ms = 1;
  std::vector<store::CaseResult> results;
  for (int i = 0; i < 1500; ++i) results.push_back(stored_result("add.case-" + std::to_string(i) + ".f16", 2000));
  stored.put_results(stored.open_run(run), results);
  BOOST_TEST(desk.run({"report"}).out.size() > 65'536U);
  BOOST_TEST(desk.run({"report", "--comment"}).out.size() <= 65'536U);
}

BOOST_AUTO_TEST_SUITE_END()
