#include "text/json.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

using opgate::Error;
using opgate::ErrorKind;
using opgate::text::Json;
using opgate::text::parse_json;

namespace {

Json parse(const std::string& text) {
  return parse_json(text, "a.json", ErrorKind::spec);
}

template <class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    BOOST_TEST((error.kind() == ErrorKind::spec));
    return error.what();
  }
  return "no error";
}

void check_refused(const std::string& text, const std::string& begin) {
  const std::string message = message_of([&] { static_cast<void>(parse(text)); });
  BOOST_TEST(message.starts_with(begin), "\"" << message << "\" does not begin with \"" << begin << "\"");
  BOOST_TEST(message.find("\n  fix: ") != std::string::npos);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(json)

BOOST_AUTO_TEST_CASE(values_know_their_lines) {
  const Json json = parse("{\"a\": 1\n,\"b\": -2.5\r\n,\n\"c\": [true,\n null, \"x\"\n]}\n");
  BOOST_TEST(json.at("a").line() == 1);
  BOOST_TEST(json.at("b").line() == 2);
  BOOST_TEST(json.at("c").line() == 4);
  BOOST_TEST(json.at("c").end_line() == 6);
  BOOST_TEST(json.at("c").as_array()[0].line() == 4);
  BOOST_TEST(json.at("c").as_array()[1].line() == 5);
  BOOST_TEST(json.at("c").where() == "a.json:4");
  BOOST_TEST(json.end_line() == 6);
}

BOOST_AUTO_TEST_CASE(a_number_before_a_line_break_keeps_its_line) {
  const Json json = parse("[1\n,2.5\n,-3\n]");
  BOOST_TEST(json.as_array()[0].line() == 1);
  BOOST_TEST(json.as_array()[1].line() == 2);
  BOOST_TEST(json.as_array()[2].line() == 3);
}

BOOST_AUTO_TEST_CASE(values_have_their_types) {
  const Json json = parse(R"({"n": null, "t": true, "i": -7, "d": 0.5, "s": "\u00e9\n", "a": [], "o": {}})");
  BOOST_TEST((json.at("n").type() == Json::Type::null));
  BOOST_TEST(json.at("t").as_bool());
  BOOST_TEST(json.at("i").as_integer() == -7);
  BOOST_TEST(json.at("i").as_number() == -7.0);
  BOOST_TEST(json.at("d").as_number() == 0.5);
  BOOST_TEST(json.at("s").as_string() == "\xC3\xA9\n");
  BOOST_TEST(json.at("a").as_array().empty());
  BOOST_TEST(json.at("o").as_object().empty());
  BOOST_TEST(json.find("x") == nullptr);
  BOOST_TEST(json.as_object().front().first == "n");
}

BOOST_AUTO_TEST_CASE(integers_stay_exact) {
  const Json json = parse("[9223372036854775807, -9223372036854775808, 9007199254740993]");
  BOOST_TEST(json.as_array()[0].as_integer() == std::numeric_limits<std::int64_t>::max());
  BOOST_TEST(json.as_array()[1].as_integer() == std::numeric_limits<std::int64_t>::min());
  BOOST_TEST(json.as_array()[2].as_integer() == 9007199254740993);
}

BOOST_AUTO_TEST_CASE(integers_beyond_64_bits_are_no_integers) {
  for (const char* text : {"9223372036854775808", "-9223372036854775809", "123456789012345678901234567890"}) {
    const Json json = parse(std::string("{\"rows\": ") + text + "}");
    const std::string message = message_of([&] { static_cast<void>(json.at("rows").as_integer()); });
    BOOST_TEST(message == std::string("a.json:1: \"rows\" must be an integer of at most 64 bits, not ") + text +
                              "\n  fix: write an integer of at most 64 bits here");
  }
  BOOST_TEST(parse("9223372036854775808").as_number() == 9223372036854775808.0);
}

BOOST_AUTO_TEST_CASE(a_fraction_is_no_integer) {
  for (const char* text : {"1.5", "1.0", "1e3"}) {
    BOOST_CHECK_THROW(static_cast<void>(parse(text).as_integer()), Error);
  }
}

BOOST_AUTO_TEST_CASE(accessors_say_what_was_expected) {
  const Json json = parse("{\"a\": \"x\",\n\"l\": [\"y\", {}]}");
  const auto said = [](const std::string& message) { return message.substr(0, message.find('\n')); };
  BOOST_TEST(said(message_of([&] { static_cast<void>(json.at("a").as_bool()); })) ==
             "a.json:1: \"a\" must be true or false, not the string \"x\"");
  BOOST_TEST(said(message_of([&] { static_cast<void>(json.at("a").as_number()); })) ==
             "a.json:1: \"a\" must be a number, not the string \"x\"");
  BOOST_TEST(said(message_of([&] { static_cast<void>(json.at("a").as_array()); })) ==
             "a.json:1: \"a\" must be an array, not the string \"x\"");
  BOOST_TEST(said(message_of([&] { static_cast<void>(json.at("a").as_object()); })) ==
             "a.json:1: \"a\" must be an object, not the string \"x\"");
  BOOST_TEST(said(message_of([&] { static_cast<void>(json.at("l").as_array()[1].as_string()); })) ==
             "a.json:2: an element of \"l\" must be a string, not an object");
  BOOST_TEST(said(message_of([&] { static_cast<void>(json.at("b")); })) == "a.json:1: key \"b\" is missing");
}

BOOST_AUTO_TEST_CASE(unknown_keys_are_named_with_the_nearest) {
  const Json json = parse("{\"op\": 1,\n\"tolerence\": 2}");
  BOOST_TEST(
      message_of([&] {
        json.only({"op", "tolerance"});
      }) ==
      "a.json:2: unknown key \"tolerence\"\n  fix: write \"tolerance\" if that was meant, or remove \"tolerence\"");
  BOOST_TEST(message_of([&] {
               json.only({"op", "labels"});
             }) == "a.json:2: unknown key \"tolerence\"\n  fix: remove it; known keys are op, labels");
  BOOST_CHECK_NO_THROW(json.only({"tolerence", "op", "more"}));
}

BOOST_AUTO_TEST_CASE(duplicate_keys_are_refused_at_the_second) {
  check_refused("{\"a\": 1,\n\"b\": {\"a\": 1},\n\"a\": 2}", "a.json:3: key \"a\" appears twice in one object");
  check_refused("{\"a\": 1, \"\\u0061\": 2}", "a.json:1: key \"a\" appears twice");
  BOOST_CHECK_NO_THROW(static_cast<void>(parse("[{\"a\": 1}, {\"a\": 2, \"b\": {\"a\": 3}}]")));
}

BOOST_AUTO_TEST_CASE(what_json_does_not_allow_is_refused_at_its_line) {
  const std::pair<const char*, const char*> cases[] = {
      {"{\"a\": 1,\n}", "a.json:2: not valid JSON: column 1: "},
      {"[1,\n2,\n]", "a.json:3: not valid JSON: column 1: "},
      {"{\n\"a\": NaN}", "a.json:2: not valid JSON"},
      {"[Infinity]", "a.json:1: not valid JSON"},
      {"[-Infinity]", "a.json:1: not valid JSON"},
      {"\n/* c */ {}", "a.json:2: not valid JSON"},
      {"// c\n{}", "a.json:1: not valid JSON"},
      {"{'a': 1}", "a.json:1: not valid JSON"},
      {"{}\n{}", "a.json:2: not valid JSON"},
      {"[1] x", "a.json:1: not valid JSON: column 5: "},
      {"[01]", "a.json:1: not valid JSON"},
      {"[+1]", "a.json:1: not valid JSON"},
      {"[.5]", "a.json:1: not valid JSON"},
      {"[1.]", "a.json:1: not valid JSON"},
      {"[0x10]", "a.json:1: not valid JSON"},
      {"\n[1e999]", "a.json:2: not valid JSON: column 7: number overflow parsing '1e999'"},
      {"[\"a\nb\"]", "a.json:1: not valid JSON"},
      {"[\"\\x\"]", "a.json:1: not valid JSON"},
      {"[\n\"\\ud800\"]", "a.json:2: not valid JSON"},
      {"[\n\"\xFF\"]", "a.json:2: not valid JSON"},
      {"[\"\xC0\xAF\"]", "a.json:1: not valid JSON"},
      {"[\"\xED\xA0\x80\"]", "a.json:1: not valid JSON"},
      {"", "a.json:1: not valid JSON"},
      {"\n \n", "a.json:2: not valid JSON"},
      {"\xEF\xBB\xBF{}", "a.json:1: begins with a byte order mark"},
  };
  for (const auto& [text, begin] : cases) check_refused(text, begin);
}

BOOST_AUTO_TEST_CASE(every_truncation_is_refused) {
  const std::string whole = "{\"a\": [1, 2.5, \"x\\n\", true],\n \"b\": {\"c\": null}}";
  BOOST_CHECK_NO_THROW(static_cast<void>(parse(whole)));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    BOOST_CHECK_THROW(static_cast<void>(parse(whole.substr(0, size))), Error);
  }
}

BOOST_AUTO_TEST_CASE(a_nul_byte_does_not_end_the_text) {
  check_refused(std::string("{}\n\0 more", 9), "a.json:2: not valid JSON: contains a NUL byte");
  check_refused(std::string("{}\0", 3), "a.json:1: not valid JSON: contains a NUL byte");
}

BOOST_AUTO_TEST_CASE(nesting_is_bounded) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  BOOST_CHECK_NO_THROW(static_cast<void>(parse(nested(64))));
  check_refused(nested(65), "a.json:1: nested more than 64 levels deep");
  check_refused(std::string(1'000'000, '['), "a.json:1: nested more than 64 levels deep");
}

BOOST_AUTO_TEST_CASE(messages_never_repeat_bytes_that_are_not_text) {
  const std::string message = message_of([] { static_cast<void>(parse("[\"\xFE\xFF\"]")); });
  for (const char c : message) BOOST_TEST(static_cast<unsigned char>(c) < 0x80U);
}

BOOST_AUTO_TEST_CASE(windows_line_ends_are_white_space) {
  BOOST_TEST(parse("{\r\n\"a\": 1,\r\n\"b\": 2\r\n}\r\n").at("b").line() == 3);
}

BOOST_AUTO_TEST_CASE(a_value_outlives_its_document) {
  Json copy;
  {
    const Json document = parse("{\"a\":\n[\"x\"]}");
    copy = document.at("a").as_array()[0];
  }
  BOOST_TEST(copy.where() == "a.json:2");
}

BOOST_AUTO_TEST_SUITE_END()
