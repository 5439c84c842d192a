#include "spec/formula.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "opgate/error.hpp"

using opgate::Error;
using opgate::ErrorKind;
using opgate::spec::evaluate;
using opgate::spec::Formula;

namespace {

std::int64_t lookup(std::string_view name) {
  if (name == "rows") return 6;
  if (name == "cols") return 4;
  if (name == "max") return std::numeric_limits<std::int64_t>::max();
  throw Error(ErrorKind::spec, "unknown name " + std::string(name), "lookup");
}

std::int64_t value(const std::string& formula) {
  return evaluate(formula, lookup, "a.json:3");
}

void check_refused(const std::string& formula, const std::string& part) {
  try {
    const std::int64_t result = value(formula);
    BOOST_ERROR("\"" << formula << "\" gave " << result);
  } catch (const Error& error) {
    const std::string text = error.what();
    BOOST_TEST((error.kind() == ErrorKind::spec));
    BOOST_TEST(text.find(part) != std::string::npos, text << " lacks " << part);
    BOOST_TEST(text.find("\n  fix: ") != std::string::npos);
    BOOST_TEST(text.starts_with("a.json:3: "));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(formula)

BOOST_AUTO_TEST_CASE(arithmetic) {
  BOOST_TEST(value("7") == 7);
  BOOST_TEST(value("rows") == 6);
  BOOST_TEST(value("4*rows*cols") == 96);
  BOOST_TEST(value("rows + cols*2") == 14);
  BOOST_TEST(value("(rows + cols)*2") == 20);
  BOOST_TEST(value("rows - cols - 1") == 1);
  BOOST_TEST(value("24/rows/2") == 2);
  BOOST_TEST(value("24/(rows/2)") == 8);
  BOOST_TEST(value("2*rows/cols") == 3);
  BOOST_TEST(value("cols-rows") == -2);
  BOOST_TEST(value(" \trows\t") == 6);
  BOOST_TEST(value("((rows))") == 6);
  BOOST_TEST(value("max") == std::numeric_limits<std::int64_t>::max());
  BOOST_TEST(value("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
}

BOOST_AUTO_TEST_CASE(overflow_is_an_error_and_no_number) {
  check_refused("max + 1", "formula \"max + 1\" overflows 64 bits");
  check_refused("0 - max - 2", "overflows 64 bits");
  check_refused("max * 2", "overflows 64 bits");
  check_refused("(0 - max - 1)/(0 - 1)", "overflows 64 bits");
  check_refused("4294967296*4294967296", "overflows 64 bits");
  check_refused("9223372036854775808", "an integer beyond 64 bits");
  BOOST_TEST(value("0 - max - 1") == std::numeric_limits<std::int64_t>::min());
}

BOOST_AUTO_TEST_CASE(only_exact_divisions) {
  check_refused("rows/cols", "formula \"rows/cols\": 6 is not divisible by 4");
  check_refused("(cols-rows)/4", "-2 is not divisible by 4");
  check_refused("rows/0", "divides by zero");
  check_refused("rows/(cols-4)", "divides by zero");
  BOOST_TEST(value("(cols-rows)/2") == -1);
}

BOOST_AUTO_TEST_CASE(syntax_faults_name_the_character) {
  check_refused("", "expected a name, an integer or \"(\", found the end, at character 1");
  check_refused("  ", "found the end");
  check_refused("rows cols", "expected an operator, found \"c\", at character 6");
  check_refused("rows*", "expected a name, an integer or \"(\", found the end, at character 6");
  check_refused("*rows", "found \"*\", at character 1");
  check_refused("(rows", "expected \")\", found the end");
  check_refused("rows)", "expected an operator, found \")\"");
  check_refused("-rows", "found \"-\"");
  check_refused("rows^2", "found \"^\"");
  check_refused("rows**2", "found \"*\"");
  check_refused("1.5", "expected an operator, found \".\"");
  check_refused("2rows", "expected an operator, found \"r\"");
  check_refused("1e6", "expected an operator, found \"e\"");
  check_refused("rows\n", "a character that formulas do not use");
  check_refused("r\xC3\xB6ws", "a character that formulas do not use");
  check_refused("rows(2)", "found \"(\"");
}

BOOST_AUTO_TEST_CASE(depth_and_length_are_bounded) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '(') + "1" + std::string(depth, ')'); };
  BOOST_TEST(value(nested(64)) == 1);
  check_refused(nested(65), "parentheses nested more than 64 deep");
  check_refused(std::string(500, '('), "parentheses nested more than 64 deep");
  check_refused(std::string(100'000, '('), "longer than 1024");
  std::string chain = "1";
  for (int i = 0; i < 511; ++i) chain += "+1";
  BOOST_TEST(value(chain) == 512);
  // Depth counts open parentheses, not pairs.
  std::string pairs = "(1)";
  for (int i = 0; i < 100; ++i) pairs += "+(1)";
  BOOST_TEST(value(pairs) == 101);
}

BOOST_AUTO_TEST_CASE(what_the_lookup_throws_passes_through) {
  BOOST_CHECK_EXCEPTION(static_cast<void>(value("rows*depth")), Error,
                        [](const Error& error) { return error.summary() == "unknown name depth"; });
}

BOOST_AUTO_TEST_CASE(names_are_listed_once) {
  const std::vector<std::string> expected = {"b", "a", "c_1"};
  BOOST_TEST(Formula::parse("b*a + a*(b - c_1)", "x").names() == expected, boost::test_tools::per_element());
  BOOST_TEST(Formula::parse("1+2", "x").names().empty());
}

BOOST_AUTO_TEST_CASE(a_parsed_formula_serves_many_lookups) {
  const Formula formula = Formula::parse("2*n", "x");
  BOOST_TEST(formula.evaluate([](std::string_view) { return std::int64_t{3}; }, "x") == 6);
  BOOST_TEST(formula.evaluate([](std::string_view) { return std::int64_t{5}; }, "x") == 10);
}

BOOST_AUTO_TEST_SUITE_END()
