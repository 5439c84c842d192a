#include <boost/test/unit_test.hpp>
#include <cstdlib>

#include "app/desk.hpp"

using namespace opgate::tests;

BOOST_AUTO_TEST_SUITE(fixture)

// The desk's project is built without CUDA.
BOOST_AUTO_TEST_CASE(a_machine_that_cannot_measure_skips_unless_a_gpu_is_required) {
  const Desk desk;
  BOOST_TEST(desk.bare({"fixture", "open"}).code == 77);
  BOOST_TEST(desk.bare({"fixture", "close"}).code == 77);
  ::setenv("OPGATE_REQUIRE_GPU", "1", 1);
  BOOST_TEST(desk.bare({"fixture", "open"}).code == 3);
  BOOST_TEST(desk.bare({"fixture", "close"}).code == 3);
  ::unsetenv("OPGATE_REQUIRE_GPU");
  BOOST_TEST(desk.bare({"fixture"}).code == 64);
}

BOOST_AUTO_TEST_CASE(replays_stay_in_the_projects_own_history) {
  const Desk desk;
  std::filesystem::create_directories(desk.at("traces"));
  ::setenv("OPGATE_REPLAY", desk.at("traces").c_str(), 1);
  ::setenv("OPGATE_HISTORY", desk.at("elsewhere.sqlite").c_str(), 1);
  const Said opened = desk.bare({"fixture", "open"});
  BOOST_TEST_CONTEXT(opened.err) BOOST_TEST(opened.code == 0);
  BOOST_TEST(std::filesystem::exists(desk.at("project.sqlite")));
  BOOST_TEST(!std::filesystem::exists(desk.at("elsewhere.sqlite")));
  BOOST_TEST(desk.bare({"fixture", "close"}).code == 0);
  ::unsetenv("OPGATE_REPLAY");
  ::unsetenv("OPGATE_HISTORY");
  const auto run = desk.bare({"runs", "--json"}).lines().at(0);
  BOOST_TEST(run["replayed"] == true);
  BOOST_TEST(!run["closed_unix_ms"].is_null());
}

BOOST_AUTO_TEST_SUITE_END()
