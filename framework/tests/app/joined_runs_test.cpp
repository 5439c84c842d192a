#include <boost/test/unit_test.hpp>

#include "app/desk.hpp"

using namespace opgate;
using namespace opgate::tests;

namespace {

// A shard: a run that selected some cases and recorded the first of them.
struct Shard {
  std::vector<std::string> selected;
  bool closed = true;
  bool replayed = false;
  std::string commit = "c1";
  core::ExitCode code = core::ExitCode::pass;
};

void put(const Desk& desk, const Shard& shard) {
  auto history = desk.history();
  store::RunInfo run;
  run.origin = "ctest";
  run.selected = shard.selected;
  run.commit = shard.commit;
  run.replayed = shard.replayed;
  run.host = "node" + std::to_string(history.runs().size() + 1);
  run.started_unix_ms = 1'767'225'600'000;
  const auto id = history.open_run(run);
  for (const std::string& name : shard.selected) {
    store::CaseResult result = stored_result(name, 5000);
    result.exit_code = shard.code;
    history.put_result(id, result);
  }
  if (shard.closed) history.close_run(id, run.started_unix_ms + 1);
}

std::string listed(const std::vector<std::string>& names) {
  nlohmann::json tests = nlohmann::json::array();
  for (const std::string& name : names) {
    tests.push_back({{"name", name}, {"properties", {{{"name", "FIXTURES_REQUIRED"}, {"value", {"opgate_run"}}}}}});
  }
  return nlohmann::json{{"tests", tests}}.dump();
}

std::string verdict_of(const Said& said, const std::string& name) {
  for (const auto& line : said.lines()) {
    if (line["case"] == name) return line["verdict"];
  }
  return "absent";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(joined_runs)

BOOST_AUTO_TEST_CASE(shards_are_judged_as_one_run) {
  const Desk desk;
  put(desk, {.selected = {"add.a.f16", "add.b.f16"}});
  put(desk, {.selected = {"add.c.f16"}});
  const Said said = desk.run({"judge", "--run", "1,2", "--check"});
  BOOST_TEST_CONTEXT(said.err) BOOST_TEST(said.code == 0);
  BOOST_TEST(said.out.find("runs 1 and 2 of ") == 0U, said.out);
  BOOST_TEST(said.out.find("3 cases: ") != std::string::npos, said.out);
  const auto lines = desk.run({"judge", "--run", "1,2", "--json"}).lines();
  BOOST_REQUIRE(lines.size() == 3U);
  BOOST_TEST(lines[0]["run"] == 1);
  BOOST_TEST(lines[2]["run"] == 2);
}

BOOST_AUTO_TEST_CASE(what_no_shard_recorded_is_missing_from_the_night) {
  const Desk desk;
  put(desk, {.selected = {"add.a.f16"}});
  put(desk, {.selected = {"add.b.f16"}});
  const std::string whole = desk.write("cases.json", listed({"add.a.f16", "add.b.f16", "add.c.f16"})).string();
  BOOST_TEST(desk.run({"judge", "--run", "1,2", "--check"}).code == 0);
  const Said said = desk.run({"judge", "--run", "1,2", "--check", "--selected", whole, "--json"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(verdict_of(said, "add.c.f16") == "missing");
  BOOST_TEST(verdict_of(said, "add.b.f16") != "missing");
  const std::string report = desk.run({"report", "--run", "1,2", "--selected", whole}).out;
  BOOST_TEST(report.find("of 3 expected cases") != std::string::npos, report);
  BOOST_TEST(report.find("| **not run** | `add.c.f16` |") != std::string::npos, report);
  BOOST_TEST(desk.run({"report", "--run", "1,2", "--selected", whole, "--check"}).code == 3);
}

BOOST_AUTO_TEST_CASE(a_case_of_two_shards_was_recorded_twice) {
  const Desk desk;
  put(desk, {.selected = {"add.a.f16", "add.b.f16"}});
  put(desk, {.selected = {"add.b.f16"}});
  const Said said = desk.run({"judge", "--run", "1,2", "--check", "--json"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(verdict_of(said, "add.b.f16") == "recorded-twice");
  BOOST_TEST(said.lines().size() == 2U);
  BOOST_TEST(desk.run({"report", "--run", "1,2", "--check"}).code == 3);
}

BOOST_AUTO_TEST_CASE(one_shard_that_was_never_closed_makes_all_of_it_red) {
  const Desk desk;
  put(desk, {.selected = {"add.a.f16"}, .closed = false});
  put(desk, {.selected = {"add.b.f16"}});
  const Said said = desk.run({"judge", "--run", "1,2", "--check"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.err.find("run 1 was never closed") != std::string::npos, said.err);
  BOOST_TEST(said.err.find("run 2 was never closed") == std::string::npos, said.err);
  BOOST_TEST(desk.run({"report", "--run", "1,2", "--check"}).code == 3);
}

BOOST_AUTO_TEST_CASE(the_worst_code_of_any_shard_is_that_of_the_whole) {
  const Desk desk;
  put(desk, {.selected = {"add.a.f16"}, .code = core::ExitCode::untrusted});
  put(desk, {.selected = {"add.b.f16"}});
  BOOST_TEST(desk.run({"judge", "--run", "1,2", "--check"}).code == 2);
  BOOST_TEST(desk.run({"judge", "--run", "2", "--check"}).code == 0);
  BOOST_TEST(desk.run({"report", "--run", "1,2", "--check"}).code == 2);
}

BOOST_AUTO_TEST_CASE(runs_that_cannot_be_parts_of_one_are_refused) {
  const Desk desk;
  put(desk, {.selected = {"add.a.f16"}});
  put(desk, {.selected = {"add.b.f16"}, .commit = "c2"});
  put(desk, {.selected = {"add.c.f16"}, .replayed = true});
  const Said other_commit = desk.run({"judge", "--run", "1,2"});
  BOOST_TEST(other_commit.code == 3);
  BOOST_TEST(other_commit.err.find("run 1 is of commit c1, but run 2 of commit c2") != std::string::npos);
  const Said other_kind = desk.run({"report", "--run", "1,3"});
  BOOST_TEST(other_kind.code == 3);
  BOOST_TEST(other_kind.err.find("one was measured and the other replayed") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_names_no_run_or_selection_is_refused) {
  const Desk desk;
  put(desk, {.selected = {"add.a.f16"}});
  for (const char* words : {"", "1,", ",1", "1,x", "1,,2", "last,1", "1,1", "1;2"}) {
    BOOST_TEST_CONTEXT(words) BOOST_TEST(desk.run({"judge", "--run", words}).code == 64);
  }
  BOOST_TEST(desk.run({"judge", "--run", "1,7"}).code == 3);
  BOOST_TEST(desk.run({"judge", "--selected", desk.at("none.json").string()}).code == 3);
  for (const char* text : {"", "{}", R"({"tests": []})"}) {
    BOOST_TEST_CONTEXT(text)
    BOOST_TEST(desk.run({"judge", "--selected", desk.write("cases.json", text).string()}).code == 3);
  }
}

BOOST_AUTO_TEST_SUITE_END()
