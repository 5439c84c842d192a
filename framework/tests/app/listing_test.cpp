#include <boost/test/unit_test.hpp>

#include "app/desk.hpp"

using namespace opgate::tests;

BOOST_AUTO_TEST_SUITE(listing)

BOOST_AUTO_TEST_CASE(list_joins_specs_and_history) {
  const Desk desk;
  desk.import(kHeader + samples(1, "tiny", 1700));
  const auto lines = desk.run({"list", "--json"}).lines();
  BOOST_REQUIRE(lines.size() == 2U);
  BOOST_TEST(lines[0]["case"] == "add.small.f16");
  BOOST_TEST(lines[0]["declared"] == true);
  BOOST_TEST(lines[0]["recorded"] == false);
  BOOST_TEST(lines[0]["labels"] == nlohmann::json::array({"nightly"}));
  BOOST_TEST(lines[1]["case"] == "tiny");
  BOOST_TEST(lines[1]["declared"] == false);
  const Said text = desk.run({"list"});
  BOOST_TEST(text.out.find("no spec declares it") != std::string::npos);
  BOOST_TEST(text.out.find("2 cases") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(list_works_before_the_first_run) {
  const Desk desk;
  const Said said = desk.bare({"list"});
  BOOST_TEST(said.code == 0);
  BOOST_TEST(said.out.find("nothing recorded yet") != std::string::npos);
  BOOST_TEST(!std::filesystem::exists(desk.at("project.sqlite")));
  BOOST_TEST(desk.bare({"list", "--filter", "nosuch"}).code == 3);
}

BOOST_AUTO_TEST_CASE(runs_come_newest_first) {
  const Desk desk;
  desk.import(kHeader + samples(3, "tiny", 1700) + samples(9, "wide", 9000));
  const auto lines = desk.run({"runs", "--json"}).lines();
  BOOST_REQUIRE(lines.size() == 2U);
  BOOST_TEST(lines[0]["run"] == 9);
  BOOST_TEST(lines[1]["run"] == 3);
  BOOST_TEST(lines[1]["origin"] == "import");
  BOOST_TEST(desk.run({"runs", "--limit", "1", "--json"}).lines().size() == 1U);
  BOOST_TEST(desk.run({"runs", "--filter", "tiny", "--json"}).lines().at(0)["run"] == 3);
  BOOST_TEST(desk.run({"runs", "--filter", "nosuch"}).out.find("no run matching 'nosuch'") != std::string::npos);
  BOOST_TEST(desk.run({"runs"}).out.find("import in.csv") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(history_of_a_case) {
  const Desk desk;
  desk.import(kHeader + samples(1, "tiny", 1700) + samples(2, "tiny", 1800) + samples(3, "wide", 9000));
  const auto lines = desk.run({"history", "tiny", "--json"}).lines();
  BOOST_REQUIRE(lines.size() == 2U);
  BOOST_TEST(lines[0]["run"] == 2);
  BOOST_TEST(lines[0]["median_ns"] == 1800.0);
  BOOST_TEST(lines[0]["verdict"] == "measured");
  BOOST_TEST(desk.run({"history", "tiny", "--limit", "1", "--json"}).lines().size() == 1U);
  BOOST_TEST(desk.run({"history", "tiny"}).out.find("0.001700 ms") != std::string::npos);
  BOOST_TEST(desk.run({"history", "nosuch"}).code == 3);
}

BOOST_AUTO_TEST_CASE(show_gives_the_newest_result_or_that_of_a_run) {
  const Desk desk;
  desk.import(kHeader + samples(1, "tiny", 1700) + samples(2, "tiny", 1800));
  const auto newest = desk.run({"show", "tiny", "--json"}).lines().at(0);
  BOOST_TEST(newest["run"] == 2);
  BOOST_TEST(newest["attempts"][0]["implementations"][0]["busy_ns"] == 1800.0);
  BOOST_TEST(desk.run({"show", "tiny", "--run", "1", "--json"}).lines().at(0)["run"] == 1);
  const Said text = desk.run({"show", "tiny"});
  BOOST_TEST(text.code == 0);
  BOOST_TEST(text.out.find("run 2 of") != std::string::npos);
  BOOST_TEST(text.out.find("tiny") != std::string::npos);
  BOOST_TEST(text.out.find("reproduce") == std::string::npos, "an imported reading cannot be run again");
  const Said near = desk.run({"show", "tinny"});
  BOOST_TEST(near.code == 3);
  BOOST_TEST(near.err.find("did you mean tiny?") != std::string::npos);
  BOOST_TEST(desk.run({"show", "tiny", "--run", "7"}).code == 3);
}

BOOST_AUTO_TEST_CASE(show_says_how_to_run_a_case_again) {
  const Desk desk;
  auto history = desk.history();
  opgate::store::RunInfo run;
  run.origin = "hand";
  history.put_result(history.open_run(run), stored_result("add.small.f16", 5000));
  const Said said = desk.run({"show", "add.small.f16"});
  BOOST_TEST(said.out.find("ctest --test-dir ") != std::string::npos, said.out);
  BOOST_TEST(said.out.find(" -R '^add.small.f16$'") != std::string::npos, said.out);
}

BOOST_AUTO_TEST_CASE(show_names_other_processes_on_the_gpu_once) {
  const Desk desk;
  auto result = stored_result("add.small.f16", 5000);
  result.attempts.at(0).before.other_processes = {4711};
  result.attempts.at(0).after.other_processes = {4712, 4711};
  auto history = desk.history();
  history.put_result(history.open_run({}), result);
  const auto shown = desk.run({"show", "add.small.f16", "--json"}).lines().at(0);
  BOOST_TEST(shown["attempts"][0]["other_processes"] == nlohmann::json::array({4711, 4712}));
  BOOST_TEST(desk.run({"show", "add.small.f16"}).out.find("other GPU processes: 4711, 4712") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(no_line_of_a_table_ends_in_blanks) {
  const Desk desk;
  desk.import(kHeader + steady_runs(1, 5, "tiny", 1700));
  BOOST_TEST(desk.run({"baseline", "diff", "--last", "5"}).out.find(" \n") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(export_is_ordered_by_run_and_case) {
  const Desk desk;
  desk.import(kHeader + samples(12, "b", 1700) + samples(12, "a", 1700) + samples(2, "b", 1700));
  const Said said = desk.run({"export"});
  const auto lines = said.lines();
  BOOST_REQUIRE(lines.size() == 3U);
  BOOST_TEST(lines[0]["run"] == 2);
  BOOST_TEST(lines[1]["case"] == "a");
  BOOST_TEST(lines[2]["case"] == "b");
  BOOST_TEST(said.out == desk.run({"export", "--json"}).out);
  BOOST_TEST(desk.run({"export", "--filter", "^a$"}).lines().size() == 1U);
  const auto bare = desk.run({"export", "--no-samples"}).lines().at(0);
  BOOST_TEST(!bare["attempts"][0]["implementations"][0].contains("sample_values"));
  BOOST_TEST(bare["attempts"][0]["implementations"][0]["samples"] == 12);
}

BOOST_AUTO_TEST_SUITE_END()
