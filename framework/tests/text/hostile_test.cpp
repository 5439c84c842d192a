#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "text/clear_error.hpp"
#include "text/file.hpp"
#include "text/json.hpp"
#include "text/json_write.hpp"
#include "text/suggest.hpp"

using namespace opgate;

namespace {

std::string refusal(const std::string& json) {
  try {
    text::parse_json(json, "a.json", ErrorKind::io).only({"name", "workloads"});
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

bool is_clear(std::string_view message) {
  const bool short_enough = message.size() < 3 * text::kLongestMessage + 100;
  return short_enough && text::is_utf8(message) && text::readable(message) == message;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hostile)

BOOST_AUTO_TEST_CASE(errors_show_no_control_characters) {
  for (const std::string& json : std::vector<std::string>{"{\"\\u001b[2J\": 1}", "{\"a\\u0007\": 1, \"a\\u0007\": 2}",
                                                          "{\"name\\u007f\": 1}", "{\"\\u0000\": 1}"}) {
    const std::string message = refusal(json);
    BOOST_TEST(message.starts_with("a.json:1: "));
    BOOST_TEST(is_clear(message), message);
  }
  BOOST_TEST(text::readable("a\x1b[1m\xff\n\tb") == "a?[1m?\n\tb");
  BOOST_TEST(text::readable("\xC3\xA9\x01") == "\xC3\xA9?");
}

BOOST_AUTO_TEST_CASE(errors_are_short_whatever_they_repeat) {
  const std::string name(5'000'000, 'n');
  for (const std::string& json :
       {"{\"" + name + "\": 1}", "{\"" + name + "\": 1, \"" + name + "\": 2}", "{\"name\": \"" + name + "\"} x"}) {
    const std::string message = refusal(json);
    BOOST_TEST(message.size() < 1000U);
    BOOST_TEST(is_clear(message));
  }
  const Error error = text::clear_error(ErrorKind::io, name, name, name);
  BOOST_TEST(std::string_view(error.what()).size() < 13'000U);
  BOOST_TEST(text::shortened("\xC3\xA9\xC3\xA9", 3) == "\xC3\xA9...");
  BOOST_TEST(text::shortened("abc", 3) == "abc");
}

// Comparing them letter by letter would take minutes.
BOOST_AUTO_TEST_CASE(a_long_name_is_not_compared_with_short_ones) {
  const std::string name(20'000'000, 'n');
  const std::vector<std::string> known(200, std::string(200, 'n'));
  BOOST_TEST(!text::nearest(name, known).has_value());
  BOOST_TEST(text::near_names(name, known, 3).empty());
  BOOST_TEST(text::nearest("rowz", std::vector<std::string>{"rows"}).value() == "rows");
  BOOST_TEST(text::nearest("row", std::vector<std::string>{"rows"}).value() == "rows");
}

BOOST_AUTO_TEST_CASE(files_and_their_values_are_bounded) {
  const auto path = std::filesystem::temp_directory_path() / ("opgate-endless-" + std::to_string(::getpid()));
  std::ofstream(path) << "{}";
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40U);  // sparse
  BOOST_CHECK_EXCEPTION(static_cast<void>(text::read_file(path, ErrorKind::spec)), Error,
                        [](const Error& error) { return error.summary() == "larger than 64 MiB"; });
  std::filesystem::remove(path);
  BOOST_CHECK_EXCEPTION(static_cast<void>(text::parse_json("[1,2,3]", "a.json", ErrorKind::io, 3)), Error,
                        [](const Error& error) { return error.summary() == "too many values"; });
  BOOST_TEST(text::kMostValues == 4'000'000U);
}

BOOST_AUTO_TEST_SUITE_END()
