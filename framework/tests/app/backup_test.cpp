#include <boost/test/unit_test.hpp>

#include "app/desk.hpp"

using namespace opgate::tests;

BOOST_AUTO_TEST_SUITE(backup)

BOOST_AUTO_TEST_CASE(the_copy_holds_the_same_and_is_never_overwritten) {
  const Desk desk;
  desk.import(kHeader + samples(1, "tiny", 1700));
  const std::string copy = desk.at("copy.sqlite").string();
  BOOST_TEST(desk.run({"backup", copy}).code == 0);
  BOOST_TEST(desk.bare({"export", "--history", copy}).out == desk.run({"export"}).out);
  desk.import(kHeader + samples(2, "tiny", 1700));
  BOOST_TEST(desk.run({"backup", copy}).code == 3);
  BOOST_TEST(desk.bare({"runs", "--json", "--history", copy}).lines().size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
