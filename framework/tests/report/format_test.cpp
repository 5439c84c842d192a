#include "report/format.hpp"

#include <boost/test/unit_test.hpp>

namespace opgate::report::test {

BOOST_AUTO_TEST_SUITE(format)

BOOST_AUTO_TEST_CASE(durations_have_four_digits_and_a_fitting_unit) {
  BOOST_TEST(duration_text(0) == "0 ns");
  BOOST_TEST(duration_text(512) == "512 ns");
  BOOST_TEST(duration_text(511.5) == "511.5 ns");
  BOOST_TEST(duration_text(1696) == "1.696 us");
  BOOST_TEST(duration_text(17'904) == "17.90 us");
  BOOST_TEST(duration_text(171'940) == "171.9 us");
  BOOST_TEST(duration_text(999'940) == "999.9 us");
  BOOST_TEST(duration_text(999'960) == "1.000 ms");
  BOOST_TEST(duration_text(1'361'700) == "1.362 ms");
  BOOST_TEST(duration_text(61.5e9) == "61.50 s");
  BOOST_TEST(duration_text(5000e9) == "5000 s");
}

BOOST_AUTO_TEST_CASE(percentages_keep_small_ones_visible) {
  BOOST_TEST(change_text(10.34) == "+10.3 %");
  BOOST_TEST(change_text(-0.42) == "-0.42 %");
  BOOST_TEST(percent_text(0.75) == "0.75 %");
  BOOST_TEST(percent_text(1) == "1.0 %");
}

BOOST_AUTO_TEST_CASE(bytes_use_a_unit_only_when_it_is_exact) {
  BOOST_TEST(bytes_text(0) == "0 B");
  BOOST_TEST(bytes_text(1025) == "1025 B");
  BOOST_TEST(bytes_text(229'376) == "224 KiB");
}

BOOST_AUTO_TEST_CASE(rows_break_at_blanks_and_keep_lines) {
  BOOST_TEST(row("label", "a\n  b  c") == "  label       a\n              b c\n");
  const std::string word(80, 'w');
  BOOST_TEST(row("x", word + " " + word) == "  x           " + word + "\n              " + word + "\n");
  const std::string endless(200, 'e');
  BOOST_TEST(row("x", endless) == "  x           " + endless + "\n");
}

BOOST_AUTO_TEST_CASE(rows_fit_a_narrow_terminal_and_say_the_same) {
  const std::string rows = open_row("label", "one two three four five six\n  seven eight") + open_row("", "nine");
  BOOST_TEST(fitted(rows, 24) ==
             "  label       one two\n              three four\n              five six\n              seven\n"
             "              eight\n              nine\n");
  BOOST_TEST(fitted(rows, 100) == row("label", "one two three four five six\n  seven eight") + row("", "nine"));
  BOOST_TEST(fitted("", 24).empty());
}

BOOST_AUTO_TEST_CASE(colours_close_what_they_open) {
  BOOST_TEST(coloured("x", Colour::none) == "x");
  BOOST_TEST(coloured("x", Colour::red) == "\x1b[1;31mx\x1b[0m");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::report::test
