#include <boost/test/unit_test.hpp>

#include "app/desk.hpp"

using namespace opgate::tests;

BOOST_AUTO_TEST_SUITE(validate)

BOOST_AUTO_TEST_CASE(good_files_are_counted) {
  const Desk desk;
  const Said said = desk.bare({"validate"});
  BOOST_TEST_CONTEXT(said.err) BOOST_TEST(said.code == 0);
  BOOST_TEST(said.out.find("add.json: 1 case") != std::string::npos);
  BOOST_TEST(said.out.find("1 file, 0 bad") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(every_problem_is_printed) {
  const Desk desk;
  desk.write("specs/one.json", "{\"op\": \"one\",\n \"surplus\": 1}");
  desk.write("specs/two.json", "not json");
  desk.write("specs/op.schema.json", "{}");
  const Said said = desk.bare({"validate", desk.at("specs").string(), "--json"});
  BOOST_TEST(said.code == 3);
  const auto lines = said.lines();
  BOOST_REQUIRE(lines.size() == 3U);
  BOOST_TEST(lines[0]["ok"] == true);
  BOOST_TEST(lines[1]["problem"].get<std::string>().find("one.json:") != std::string::npos);
  BOOST_TEST(lines[2]["problem"].get<std::string>().find("two.json:1") != std::string::npos);
  const Said text = desk.bare({"validate", desk.at("specs").string()});
  BOOST_TEST(text.out.find("FAIL") != std::string::npos);
  BOOST_TEST(text.out.find("3 files, 2 bad") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(baselines_are_loaded_too) {
  const Desk desk;
  desk.import(kHeader + steady_runs(1, 5, "add.small.f16", 5000));
  BOOST_TEST(desk.run({"validate", "baselines"}).code == 3);  // none: nothing was validated
  BOOST_REQUIRE(desk.run({"baseline", "accept", "--last", "5", "--reason", "r"}).code == 0);
  BOOST_TEST(desk.run({"validate", "baselines"}).code == 0);
  desk.write("b/unknown/add.json", "{\"version\": 99}");
  const Said said = desk.run({"validate"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.out.find("b/unknown/add.json") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(missing_files_are_problems) {
  const Desk desk;
  BOOST_TEST(desk.bare({"validate", desk.at("nosuch.json").string()}).code == 3);
}

BOOST_AUTO_TEST_CASE(a_waiver_names_a_case_that_exists) {
  const Desk desk;
  const auto checked = [&](const std::string& name) {
    desk.write("b/waivers.json", "{\"waivers\": [\n{\"case\": \"" + name +
                                     "\", \"owner\": \"Ada\", \"reason\": \"known\", \"expires\": \"2026-12-31\"}]}");
    return desk.run({"validate", "baselines"});
  };
  std::filesystem::create_directories(desk.at("b"));
  desk.import(kHeader + steady_runs(1, 5, "imported.w", 5000));
  const Said known = checked("add.small.f16");
  BOOST_TEST_CONTEXT(known.out << known.err) BOOST_TEST(known.code == 0);
  const Said unknown = checked("add.smal.f16");
  BOOST_TEST(unknown.code == 3);
  BOOST_TEST(unknown.out.find("waivers.json:2: there is no case add.smal.f16 to waive; did you mean add.small.f16?") !=
                 std::string::npos,
             unknown.out);
  BOOST_TEST(checked("").code == 3);
  BOOST_REQUIRE(desk.run({"baseline", "accept", "--last", "5", "--reason", "r"}).code == 0);
  BOOST_TEST(checked("imported.w").code == 0);
}

BOOST_AUTO_TEST_SUITE_END()
