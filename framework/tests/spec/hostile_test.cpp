#include <boost/test/unit_test.hpp>
#include <string>

#include "opgate/error.hpp"
#include "spec/formula.hpp"
#include "spec/spec.hpp"

using namespace opgate;

namespace {

struct Parts {
  std::string op = "op";
  std::string inputs = R"("x": "f32[n]")";
  std::string more{};
  std::string rows = R"({"name": "w", "n": 8})";
};

std::string parse(const Parts& parts) {
  const std::string text = "{\"op\": \"" + parts.op + "\", \"inputs\": {" + parts.inputs +
                           "}, \"outputs\": {\"y\": \"f32[n]\"}, \"dtypes\": [\"f32\"], " + parts.more +
                           "\"workloads\": [\n" + parts.rows + "]}";
  try {
    return std::to_string(spec::parse_spec(text, parts.op + ".json").workloads.size()) + " workloads";
  } catch (const Error& error) {
    BOOST_TEST((error.kind() == ErrorKind::spec));
    BOOST_TEST(!error.remedy().empty());
    BOOST_TEST(std::string(error.what()).size() < 13'000U);
    return error.summary();
  }
}

template <class Make>
std::string many(int count, const Make& make) {
  std::string list;
  for (int i = 0; i < count; ++i) list += (i == 0 ? "" : ", ") + make(std::to_string(i));
  return list;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hostile)

BOOST_AUTO_TEST_CASE(the_text_itself_is_a_spec) {
  BOOST_TEST(parse({}) == "1 workloads");
}

BOOST_AUTO_TEST_CASE(a_name_cannot_be_a_path) {
  for (const char* op : {"../op", "..", "a/b", "/etc/passwd", "a\\\\b", ".hidden", "C:"}) {
    BOOST_TEST(parse({.op = op}).find("is not allowed") != std::string::npos, op);
  }
  for (const char* name : {"../w", "..", "a/b"}) {
    const std::string message = parse({.rows = R"({"name": ")" + std::string(name) + R"(", "n": 8})"});
    BOOST_TEST(message.find("workload name") != std::string::npos, message);
  }
  BOOST_TEST(parse({.more = R"("baselines": ["../libevil"], )"}).find("baseline name") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(lists_are_counted_before_they_are_read) {
  const auto word = [](const std::string& i) { return "\"l" + i + "\""; };
  BOOST_TEST(parse({.more = "\"labels\": [" + many(300'000, word) + "], "}) ==
             "\"labels\" has 300000 entries, more than 64");
  const auto tensor = [](const std::string& i) { return "\"t" + i + "\": \"f32[n]\""; };
  BOOST_TEST(parse({.inputs = many(64, tensor)}) == "1 workloads");
  BOOST_TEST(parse({.inputs = many(65, tensor)}) == "\"inputs\" has 65 entries, more than 64");
  const auto parameter = [](const std::string& i) { return "\"p" + i + "\": 1"; };
  BOOST_TEST(parse({.more = "\"params\": {" + many(65, parameter) + "}, "}) ==
             "\"params\" has 65 entries, more than 64");
  const auto shape = [](const std::string& i) { return "\"t" + i + "\": \"f32[a" + i + ", b" + i + "]\""; };
  BOOST_TEST(parse({.inputs = many(40, shape)}) == "more than 64 dimensions");
}

BOOST_AUTO_TEST_CASE(a_shape_stops_at_its_bound) {
  BOOST_TEST(parse({.inputs = "\"x\": \"f32[" + many(2'000'000, [](const auto&) { return std::string("n"); }) +
                              "]\""}) == "tensor \"x\": more than 8 dimensions");
}

BOOST_AUTO_TEST_CASE(the_work_of_formulas_is_bounded) {
  std::string formula = "1";
  for (int i = 0; i < 400; ++i) formula += "+0";
  std::string rows;
  for (int i = 0; i < 100'000; ++i) {
    rows += (i == 0 ? "" : ",\n") + std::string("{\"name\": \"w") + std::to_string(i) + "\", \"n\": 8}";
  }
  const auto tensor = [&](const std::string& i) { return "\"t" + i + "\": \"f32[n*(" + formula + ")]\""; };
  BOOST_TEST(parse({.inputs = many(60, tensor), .rows = rows}).find("are too much work") != std::string::npos);
  BOOST_TEST(parse({.rows = rows}) == "100000 workloads");
}

BOOST_AUTO_TEST_CASE(what_a_formula_holds_is_not_sent_to_the_terminal) {
  for (const std::string& formula : {std::string("a\x1b[2J"), std::string("a+\xff"), std::string("\x07")}) {
    BOOST_CHECK_EXCEPTION(static_cast<void>(spec::Formula::parse(formula, "a.json:3")), Error, [](const Error& error) {
      const std::string text = error.what();
      return text.find('?') != std::string::npos && text.find('\x1b') == std::string::npos &&
             text.find('\xff') == std::string::npos && text.find('\x07') == std::string::npos;
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()
