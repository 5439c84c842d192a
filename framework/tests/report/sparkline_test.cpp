#include "report/sparkline.hpp"

#include <boost/test/unit_test.hpp>
#include <vector>

namespace report = opgate::report;

BOOST_AUTO_TEST_SUITE(sparkline)

BOOST_AUTO_TEST_CASE(low_to_high) {
  const std::vector<double> values{1, 2, 3, 4, 5, 6, 7, 8};
  BOOST_TEST(report::sparkline(values, {}, 80, false).curve == "_.-=+*#@");
  BOOST_TEST(report::sparkline(values, {}, 80, true).curve == "▁▂▃▄▅▆▇█");
  BOOST_TEST(report::sparkline(values, {}, 80, false).marks.empty());
}

BOOST_AUTO_TEST_CASE(changes_are_marked_below) {
  const std::vector<double> values{1, 1, 2, 2, 1};
  BOOST_TEST(report::sparkline(values, {2, 4}, 80, false).curve == "__@@_");
  BOOST_TEST(report::sparkline(values, {2, 4}, 80, false).marks == "  ^ ^");
}

BOOST_AUTO_TEST_CASE(many_values_share_the_columns) {
  std::vector<double> values(100, 1.0);
  for (std::size_t i = 50; i < 100; ++i) values[i] = 2;
  const auto line = report::sparkline(values, {50}, 10, false);
  BOOST_TEST(line.curve == "_____@@@@@");
  BOOST_TEST(line.marks == "     ^");
}

BOOST_AUTO_TEST_CASE(equal_values_and_none) {
  BOOST_TEST(report::sparkline(std::vector<double>{3, 3}, {}, 80, false).curve == "__");
  BOOST_TEST(report::sparkline({}, {}, 80, false).curve.empty());
}

BOOST_AUTO_TEST_SUITE_END()
