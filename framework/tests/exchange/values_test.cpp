#include "exchange/values.hpp"

#include <string>

#include <boost/test/unit_test.hpp>

using namespace opgate::exchange;

BOOST_AUTO_TEST_SUITE(values)

BOOST_AUTO_TEST_CASE(decimals_are_scaled_with_one_rounding) {
  BOOST_TEST(scaled("1.85924", 6).value() == 1859240.0);
  BOOST_TEST(scaled("0.0370075", 6).value() == 37007.5);
  BOOST_TEST(scaled("2.3040000349283217e-05", 9).value() == 23040.000349283217);
  BOOST_TEST(scaled("1e+3", -3).value() == 1.0);
  BOOST_TEST(scaled("-0.5", 0).value() == -0.5);
  BOOST_TEST(scaled(2.25, 3).value() == 2250.0);
}

BOOST_AUTO_TEST_CASE(what_is_no_finite_decimal_is_no_number) {
  for (const char* text : {"", "-", "nan", "inf", "-inf", "1e999", "1e99999999999", " 1", "1 ", "+1", "0x10", "1,5",
                           "1e", ".5", "1.5ms"}) {
    BOOST_TEST_CONTEXT(text) BOOST_TEST(!scaled(text, 6).has_value());
  }
  BOOST_TEST(!scaled(std::string(100'000, '9'), 0).has_value());
  BOOST_TEST(!is_duration(1e300));
  BOOST_TEST(is_duration(1e18));
  BOOST_TEST(!integer("1.0").has_value());
  BOOST_TEST(!integer("99999999999999999999").has_value());
  BOOST_TEST(integer("-7").value() == -7);
}

BOOST_AUTO_TEST_CASE(times_have_zones_and_fractions) {
  BOOST_TEST(unix_ms_of("2026-08-22T18:31:16.119043+00:00").value() == 1787423476119);
  BOOST_TEST(unix_ms_of("2026-08-22T18:31:16Z").value() == 1787423476000);
  BOOST_TEST(unix_ms_of("2026-08-22 20:31:16+0200").value() == 1787423476000);
  BOOST_TEST(unix_ms_of("2026-08-22T13:01:16-05:30").value() == 1787423476000);
  BOOST_TEST(unix_ms_of("1970-01-01T00:00:00").value() == 0);
  for (const char* text : {"", "yesterday", "2026-02-30T00:00:00", "2026-08-22", "2026-08-22T25:00:00",
                           "2026-08-22T18:31:16+2", "2026-08-22T18:31:16 GMT", "20260822T183116"}) {
    BOOST_TEST_CONTEXT(text) BOOST_TEST(!unix_ms_of(text).has_value());
  }
}

BOOST_AUTO_TEST_SUITE_END()
