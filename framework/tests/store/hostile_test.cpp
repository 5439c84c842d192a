#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>

#include "opgate/error.hpp"
#include "store/baseline_file.hpp"
#include "store/baseline_file_sample.hpp"
#include "store/waiver_file.hpp"
#include "text/clear_error.hpp"

using namespace opgate;
using namespace opgate::store;

namespace {

template <class Parse>
std::string refusal(const Parse& parse) {
  try {
    static_cast<void>(parse());
  } catch (const Error& error) {
    BOOST_TEST((error.kind() == ErrorKind::baseline));
    BOOST_TEST(!error.remedy().empty());
    const std::string message = error.what();
    BOOST_TEST(message.size() < 13'000U);
    BOOST_TEST(text::readable(message) == message);
    return message;
  }
  return "read";
}

std::string baseline(const std::string& text) {
  return refusal([&] { return parse_baseline_file(text, "b.json"); });
}

std::string waivers(const std::string& text) {
  return refusal([&] { return parse_waivers(text, "waivers.json"); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hostile)

BOOST_AUTO_TEST_CASE(no_op_and_no_device_leaves_the_folder) {
  for (const std::string& name :
       {std::string("../../x"), std::string("/etc/passwd"), std::string(".."), std::string("."), std::string("a/b"),
        std::string("\\\\x\\y"), std::string(5'000, 'n'), std::string("\0\x1b", 2)}) {
    const auto path = baseline_path("baselines", name, name);
    BOOST_TEST(std::distance(path.begin(), path.end()) == 3);
    BOOST_TEST(path.lexically_normal().native() == path.native());
    BOOST_TEST(path.parent_path().parent_path().native() == "baselines");
    BOOST_TEST(path.native().size() < 160U);
  }
}

BOOST_AUTO_TEST_CASE(numbers_that_are_none_are_refused) {
  const std::string good = format_baseline_file(test::sample());
  BOOST_TEST(baseline(good) == "read");
  for (const char* number : {"NaN", "1e999", "-1e999", "Infinity", "-1", "0", "1e-999", "0x10"}) {
    const std::string message =
        baseline(test::replaced(good, "\"centre_ns\": 1500.5", "\"centre_ns\": " + std::string(number)));
    BOOST_TEST(message.starts_with("b.json:"), number << ": " << message);
  }
}

BOOST_AUTO_TEST_CASE(nesting_is_bounded) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "{\"cases\":";
  BOOST_TEST(baseline(text).find("nested more than 64 levels deep") != std::string::npos);
  BOOST_TEST(waivers(text).find("nested more than 64 levels deep") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(errors_repeat_no_control_characters_and_no_megabytes) {
  BOOST_TEST(baseline("{\"\\u001b[2J\":1,\"version\":2}").find("unknown key \"?[2J\"") != std::string::npos);
  const std::string day(5'000'000, '9');
  BOOST_TEST(
      waivers("{\"waivers\":[{\"case\":\"c\",\"owner\":\"o\",\"reason\":\"r\",\"expires\":\"\\u0007" + day + "\"}]}")
          .find("is no day") != std::string::npos);
  BOOST_TEST(waivers("{\"waivers\":[{\"case\":\"c\",\"owner\":\"o\",\"reason\":\"r\",\"expires\":\"\\u0007\"}]}")
                 .find("\"?\" is no day") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
