#include "text/json_write.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "text/json.hpp"

using opgate::Error;
using opgate::ErrorKind;
using opgate::text::json_number;
using opgate::text::json_string;

BOOST_AUTO_TEST_SUITE(json_write)

BOOST_AUTO_TEST_CASE(strings_read_back) {
  for (const std::string& text : {std::string(), std::string("a\"b\\c\n\t"), std::string("\x01\x1f"),
                                  std::string("\0x", 2), std::string("\xC3\xA9 \xE2\x82\xAC")}) {
    const std::string written = json_string(text, ErrorKind::io);
    BOOST_TEST(opgate::text::parse_json(written, "w", ErrorKind::io).as_string() == text);
    BOOST_TEST(written.find('\n') == std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(what_is_not_utf8_is_refused) {
  BOOST_TEST(opgate::text::is_utf8("a\xC3\xA9"));
  BOOST_TEST(!opgate::text::is_utf8("a\xC3"));
  BOOST_CHECK_EXCEPTION(static_cast<void>(json_string("a\xFF", ErrorKind::baseline)), Error,
                        [](const Error& error) { return error.kind() == ErrorKind::baseline; });
}

BOOST_AUTO_TEST_CASE(numbers_read_back_exactly) {
  for (const double value : {0.0, -0.0, 1.0, 0.1, 1.0 / 3, 1696.032258064516, 1e15, 1e16, 1e17, 1e300, -2.5,
                             std::numeric_limits<double>::max(), std::numeric_limits<double>::min(),
                             std::numeric_limits<double>::denorm_min(), 9007199254740993.0}) {
    const double read = opgate::text::parse_json(json_number(value, ErrorKind::io), "n", ErrorKind::io).as_number();
    BOOST_TEST(read == value);
    BOOST_TEST(std::signbit(read) == std::signbit(value));
  }
}

BOOST_AUTO_TEST_CASE(numbers_are_short) {
  BOOST_TEST(json_number(5, ErrorKind::io) == "5");
  BOOST_TEST(json_number(0.1, ErrorKind::io) == "0.1");
}

BOOST_AUTO_TEST_CASE(no_data_is_not_a_number) {
  for (const double value : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity()}) {
    BOOST_CHECK_THROW(static_cast<void>(json_number(value, ErrorKind::io)), Error);
  }
}

BOOST_AUTO_TEST_SUITE_END()
