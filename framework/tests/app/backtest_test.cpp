#include <boost/test/unit_test.hpp>
#include <string>

#include "app/desk.hpp"

using namespace opgate::tests;

BOOST_AUTO_TEST_SUITE(backtest)

BOOST_AUTO_TEST_CASE(a_steady_history_raises_no_alarm_at_any_tolerance) {
  const Desk desk;
  desk.import(kHeader + steady_runs(1, 16, "wide", 90'000));
  const auto lines = desk.run({"backtest", "--tolerances", "1,5", "--json"}).lines();
  BOOST_REQUIRE(lines.size() == 4U);
  BOOST_TEST(lines[0]["case"] == "wide");
  BOOST_TEST(lines[0]["tolerance_pct"] == 1.0);
  BOOST_TEST(lines[0]["runs"] == 16);
  BOOST_TEST(lines[0]["judged"] == 6);
  BOOST_TEST(lines[0]["false_alarms"] == 0);
  BOOST_TEST(lines[0]["caught_pct"].get<double>() > 0.9);
  BOOST_TEST(lines[0]["caught_pct"].get<double>() < 1.1);
  BOOST_TEST(lines[1]["caught_pct"].get<double>() > 4.9);
  BOOST_TEST(lines[2]["case"].is_null());
  BOOST_TEST(lines[2]["judged"] == 6);
  BOOST_TEST(lines[2]["caught_largest_pct"] == lines[0]["caught_pct"]);
  const Said text = desk.run({"backtest"});
  BOOST_TEST(text.code == 0);
  BOOST_TEST(text.out.find("6 of 16 readings judged, 0 changes of level seen") != std::string::npos, text.out);
}

BOOST_AUTO_TEST_CASE(no_run_is_judged_across_a_change_of_level) {
  const Desk desk;
  desk.import(kHeader + steady_runs(1, 12, "wide", 90'000) + steady_runs(13, 24, "wide", 99'000));
  const auto lines = desk.run({"backtest", "--tolerances", "1", "--json"}).lines();
  BOOST_REQUIRE(lines.size() == 2U);
  BOOST_TEST(lines[0]["changes"] == 1);
  BOOST_TEST(lines[0]["judged"] == 4);
  BOOST_TEST(lines[0]["suspects"] == 0);
}

BOOST_AUTO_TEST_CASE(no_run_is_judged_against_readings_of_another_number_of_processes) {
  const Desk desk;
  {
    opgate::store::History history = desk.history();
    for (int i = 0; i < 16; ++i) {
      auto result = stored_result("fresh", 90'000 + i % 3);
      result.attempts.front().processes = i < 8 ? 1 : 4;
      result.attempts.front().implementations.front().imported.reset();
      history.put_result(history.open_run({}), result);
    }
  }
  const Said said = desk.run({"backtest", "--baseline-runs", "5", "--tolerances", "1", "--json"});
  const auto lines = said.lines();
  BOOST_REQUIRE_EQUAL(lines.size(), 2U);
  BOOST_TEST(lines[0]["judged"] == 6);
  BOOST_TEST(lines[0]["undecided"] == 0);
}

BOOST_AUTO_TEST_CASE(cases_with_too_few_runs_are_counted) {
  const Desk desk;
  desk.import(kHeader + steady_runs(1, 16, "wide", 90'000) + steady_runs(1, 3, "young", 90'000));
  BOOST_TEST(desk.run({"backtest"}).out.find("1 case with too few runs left out") != std::string::npos);
  const Said none = desk.run({"backtest", "--filter", "young"});
  BOOST_TEST(none.code == 3);
  BOOST_TEST(none.err.find("no case matching 'young' has more comparable runs") != std::string::npos, none.err);
  BOOST_TEST(desk.run({"backtest", "--last", "11", "--json", "--tolerances", "1"}).lines().at(0)["judged"] == 1);
}

BOOST_AUTO_TEST_CASE(odd_words_are_refused) {
  const Desk desk;
  desk.import(kHeader + steady_runs(1, 16, "wide", 90'000));
  BOOST_TEST(desk.run({"backtest", "--tolerances", "0"}).code == 64);
  BOOST_TEST(desk.run({"backtest", "--tolerances", "one"}).code == 64);
  BOOST_TEST(desk.run({"backtest", "--baseline-runs", "2"}).code == 64);
}

BOOST_AUTO_TEST_SUITE_END()
