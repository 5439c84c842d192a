#include <boost/test/unit_test.hpp>

#include "app/desk.hpp"

using namespace opgate::tests;

BOOST_AUTO_TEST_SUITE(baseline_show)

BOOST_AUTO_TEST_CASE(it_lists_every_baseline_with_its_acceptance) {
  const Desk desk;
  desk.import(kHeader + steady_runs(1, 5, "add.small.f16", 5000) + steady_runs(1, 5, "wide.w.f16", 90000));
  BOOST_REQUIRE(desk.run({"baseline", "accept", "--last", "5", "--reason", "because"}).code == 0);
  const Said said = desk.run({"baseline", "show", "--json"});
  BOOST_TEST(said.code == 0);
  BOOST_REQUIRE(said.lines().size() == 2U);
  const auto line = said.lines().at(0);
  BOOST_TEST(line["case"] == "add.small.f16");
  BOOST_TEST(line["reason"] == "because");
  BOOST_TEST(line["model"]["time"]["run_medians_ns"].size() == 5U);
  BOOST_TEST(line["run_uuids"].size() == 5U);
  const Said text = desk.run({"baseline", "show", "--filter", "wide"});
  BOOST_TEST(text.out.find("because") != std::string::npos);
  BOOST_TEST(text.out.find("add.small") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(none_is_said_and_not_green) {
  const Desk desk;
  desk.import(kHeader + samples(1, "tiny", 1700));
  const Said said = desk.run({"baseline", "show"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.err.find("no baseline") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
