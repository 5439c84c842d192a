#include <boost/test/unit_test.hpp>
#include <cmath>
#include <sstream>
#include <string>

#include "app/command_line.hpp"
#include "app/desk.hpp"

using namespace opgate;
using namespace opgate::tests;

namespace {

void put(store::History& history, const std::string& commit, int busy_ns, const std::string& unit = "GPU-a") {
  store::RunInfo run;
  run.origin = "ctest";
  run.commit = commit;
  store::CaseResult result = stored_result("add.small.f16", busy_ns);
  result.attempts.front().implementations.front().imported.reset();  // as opgate itself measures
  result.attempts.front().device.name = "NVIDIA H200";
  result.attempts.front().device.uuid = unit;
  history.put_result(history.open_run(run), result);
}

// Twelve runs at 100 us and twelve at 105 us, each of its own commit.
void put_step(store::History& history) {
  for (int i = 1; i <= 24; ++i) put(history, "commit-" + std::to_string(i), (i <= 12 ? 100'000 : 105'000) + i % 3);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(history)

BOOST_AUTO_TEST_CASE(names_the_commits_around_a_change) {
  const Desk desk;
  auto stored = desk.history();
  put_step(stored);
  const Said said = desk.run({"history", "add.small.f16"});
  BOOST_TEST(said.code == 0);
  BOOST_TEST(said.out.find("____________@@@@@@@@@@@@\n              ^\n") != std::string::npos, said.out);
  BOOST_TEST(said.out.find("+5.00 % from run 13 on: 0.10000") != std::string::npos, said.out);
  BOOST_TEST(said.out.find("last before  run 12 of 1970-01-01T00:00:00Z, commit commit-12\n") != std::string::npos,
             said.out);
  BOOST_TEST(said.out.find("first after  run 13 of 1970-01-01T00:00:00Z, commit commit-13\n") != std::string::npos,
             said.out);
  BOOST_TEST(said.out.find("24 results in 1 series of comparable readings\n") != std::string::npos, said.out);
}

BOOST_AUTO_TEST_CASE(json_holds_change_points_beyond_the_limit) {
  const Desk desk;
  auto stored = desk.history();
  put_step(stored);
  const auto lines = desk.run({"history", "add.small.f16", "--json", "--limit", "2"}).lines();
  BOOST_REQUIRE(lines.size() == 3U);
  BOOST_TEST(lines[0]["run"] == 24);
  BOOST_TEST(lines[0]["change_points"].empty());
  BOOST_TEST(lines[0]["series"] == nlohmann::json::array({1}));
  BOOST_TEST(lines[0]["unit"] == "GPU-a");
  BOOST_TEST(lines[0]["protocol"] == "opgate-1");
  BOOST_TEST(lines[2]["run"] == 13);
  const auto& point = lines[2]["change_points"].at(0);
  BOOST_TEST(point["last_before_run"] == 12);
  BOOST_TEST(point["last_before_commit"] == "commit-12");
  BOOST_TEST(point["first_after_commit"] == "commit-13");
  BOOST_TEST(point["metric"] == "time");
  BOOST_TEST(point["change_pct"].get<double>() > 4.9);
  BOOST_TEST(point["p_value"].get<double>() < 1e-6);
}

BOOST_AUTO_TEST_CASE(readings_of_another_unit_are_a_series_of_their_own) {
  const Desk desk;
  auto stored = desk.history();
  for (int i = 0; i < 24; ++i) put(stored, "", i % 2 == 0 ? 100'000 : 105'000, i % 2 == 0 ? "GPU-a" : "GPU-b");
  const Said said = desk.run({"history", "add.small.f16"});
  BOOST_TEST(said.out.find("series 1: NVIDIA H200, GPU-b") != std::string::npos, said.out);
  BOOST_TEST(said.out.find("series 2: NVIDIA H200, GPU-a") != std::string::npos, said.out);
  BOOST_TEST(said.out.find("24 results in 2 series of comparable readings") != std::string::npos, said.out);
  BOOST_TEST(said.out.find("no lasting change of level beyond 1 %") != std::string::npos, said.out);
  for (const auto& line : desk.run({"history", "add.small.f16", "--json"}).lines()) {
    BOOST_TEST(line["change_points"].empty());
    BOOST_TEST(line["series"].at(0) == (line["unit"] == "GPU-b" ? 1 : 2));
  }
}

BOOST_AUTO_TEST_CASE(series_that_are_not_drawn_are_counted) {
  const Desk desk;
  auto stored = desk.history();
  for (int i = 0; i < 9; ++i) put(stored, "", 100'000, "GPU-" + std::to_string(i));
  const Said said = desk.run({"history", "add.small.f16"});
  BOOST_TEST(said.out.find("; 3 older series with 3 readings are not drawn, --json has them") != std::string::npos,
             said.out);
  BOOST_TEST(said.out.find("too few readings to tell a change of level: 10 are needed") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_mixed_call_has_a_series_for_each_kernel_group) {
  const Desk desk;
  std::string csv = kHeader;
  for (int run = 1; run <= 24; ++run) {
    for (int i = 0; i < 40; ++i) {
      const int kernels = 1 + i % 2;
      const int busy = kernels == 1 ? 5000 : run <= 12 ? 9000 : 9900;
      const std::string time = std::to_string(busy);
      csv += std::to_string(run) + ",mixed," + std::to_string(i) + ',' + time + ',' + time + ',' +
             std::to_string(kernels) + ",1980\n";
    }
  }
  desk.import(csv);
  const auto lines = desk.run({"history", "mixed", "--json"}).lines();
  BOOST_REQUIRE(lines.size() == 24U);
  BOOST_TEST(lines[0]["series"].size() == 2U);
  const auto& points = lines[11]["change_points"];
  BOOST_REQUIRE(points.size() == 1U);
  BOOST_TEST(points[0]["group"] == "2 kernels");
  BOOST_TEST(std::abs(points[0]["change_pct"].get<double>() - 10) < 1e-6);
  BOOST_TEST(points[0]["before_ns"] == 9000.0);
}

BOOST_AUTO_TEST_CASE(results_without_a_reading_are_listed_and_counted) {
  const Desk desk;
  desk.import(kHeader + samples(1, "tiny", 1700) + "2,tiny,0,0,0,1,1980\n");
  const Said said = desk.run({"history", "tiny"});
  BOOST_TEST(said.out.find("untrusted") != std::string::npos, said.out);
  BOOST_TEST(said.out.find("2 results in 1 series of comparable readings, 1 without a reading") != std::string::npos,
             said.out);
  BOOST_TEST(desk.run({"history", "tiny", "--json"}).lines().at(0)["median_ns"].is_null());
}

BOOST_AUTO_TEST_CASE(an_unknown_case_suggests_near_names) {
  const Desk desk;
  desk.import(kHeader + samples(1, "tiny", 1700));
  const Said near = desk.run({"history", "tinny"});
  BOOST_TEST(near.code == 3);
  BOOST_TEST(near.err.find("did you mean tiny?") != std::string::npos, near.err);
  BOOST_TEST(desk.run({"history", "elsewhere"}).err.find("opgate list prints") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_empty_history_says_so) {
  const Desk desk;
  { (void)desk.history(); }
  const Said said = desk.run({"history", "tiny"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.err.find("the history holds no result yet") != std::string::npos, said.err);
}

BOOST_AUTO_TEST_CASE(blocks_where_the_terminal_shows_them) {
  const Desk desk;
  desk.import(kHeader + samples(1, "tiny", 1700) + samples(2, "tiny", 1800));
  const auto drawn = [&](bool unicode) {
    std::ostringstream out, err;
    BOOST_TEST(app::command_line({"history", "tiny", "--history", desk.at("h.sqlite").string()}, out, err, unicode) ==
               0);
    return out.str();
  };
  BOOST_TEST(drawn(true).find("▁█") != std::string::npos);
  BOOST_TEST(drawn(false).find("_@") != std::string::npos);
  BOOST_TEST(drawn(false).find("▁") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(how_far_back_it_looks_can_be_said_and_is_told) {
  const Desk desk;
  desk.import(kHeader + steady_runs(1, 9, "long", 20'000));
  BOOST_TEST(desk.run({"history", "long"}).out.find("--reach") == std::string::npos);
  const Said said = desk.run({"history", "long", "--reach", "5"});
  BOOST_TEST(said.out.find("of the newest 5 results; --reach") != std::string::npos, said.out);
  BOOST_TEST(desk.run({"history", "long", "--reach", "9"}).out.find("--reach") == std::string::npos);
  BOOST_TEST(desk.run({"history", "long", "--reach", "0"}).code == 64);
}

BOOST_AUTO_TEST_SUITE_END()
