#include <boost/test/unit_test.hpp>

#include "app/desk.hpp"

using namespace opgate::tests;

namespace {

struct Fixture : Desk {
  Fixture() {
    import(kHeader + steady_runs(1, 9, "tiny", 20'000));
    std::filesystem::create_directories(at("b"));
  }
  [[nodiscard]] Said json(std::vector<std::string> words) const {
    words.insert(words.begin(), "prune");
    words.push_back("--json");
    return run(words);
  }
};

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(prune, Fixture)

BOOST_AUTO_TEST_CASE(it_says_what_it_did) {
  const Said said = run({"prune", "--keep-samples", "4", "--keep-runs", "7"});
  BOOST_TEST(said.code == 0);
  BOOST_TEST(holds(said.out, "dropped 2 runs with 2 results"), said.out);
  BOOST_TEST(holds(said.out, "dropped the samples of 3 runs"), said.out);
  BOOST_TEST(holds(said.out, "free for new results"), said.out);
  BOOST_TEST(run({"runs", "--json"}).lines().size() == 7U);
  BOOST_TEST(run({"history", "tiny", "--json"}).lines().size() >= 7U);
}

BOOST_AUTO_TEST_CASE(what_was_pruned_is_still_shown_judged_and_accepted) {
  const auto judged = [&] { return run({"judge", "--run", "3", "--json"}).out; };
  BOOST_REQUIRE_EQUAL(run({"baseline", "accept", "--last", "5", "--reason", "test"}).code, 0);
  const std::string verdict = judged();
  const std::string shown = run({"report", "--run", "3", "--format", "csv"}).out;
  const Said said = json({"--keep-samples", "1"});
  BOOST_TEST(said.lines().at(0).at("sample_runs") == 4);
  BOOST_TEST(said.lines().at(0).at("kept_for_baselines") == 4);
  BOOST_TEST(judged() == verdict);
  BOOST_TEST(run({"report", "--run", "3", "--format", "csv"}).out == shown);
}

BOOST_AUTO_TEST_CASE(runs_of_baselines_stay) {
  BOOST_REQUIRE_EQUAL(run({"baseline", "accept", "--last", "5", "--reason", "test"}).code, 0);
  BOOST_TEST(json({"--keep-runs", "1"}).lines().at(0).at("runs") == 4);
  BOOST_TEST(run({"runs", "--json"}).lines().size() == 5U);
}

BOOST_AUTO_TEST_CASE(without_the_baselines_no_run_goes) {
  std::filesystem::remove_all(at("b"));
  const Said said = run({"prune", "--keep-runs", "1"});
  BOOST_TEST(said.code == 64);
  BOOST_TEST(holds(said.err, "there is no folder of baselines"), said.err);
  BOOST_TEST(run({"runs", "--json"}).lines().size() == 9U);
  std::filesystem::create_directories(at("b/nvidia-h200"));
  write("b/nvidia-h200/add.json", "{");
  BOOST_TEST(run({"prune", "--keep-runs", "1"}).code == 3);
  BOOST_TEST(run({"runs", "--json"}).lines().size() == 9U);
}

BOOST_AUTO_TEST_CASE(a_dry_run_only_says_it) {
  const Said said = run({"prune", "--keep-runs", "2", "--dry-run"});
  BOOST_TEST(holds(said.out, "would drop 7 runs"), said.out);
  BOOST_TEST(run({"runs", "--json"}).lines().size() == 9U);
}

BOOST_AUTO_TEST_CASE(what_may_go_must_be_said_well) {
  BOOST_TEST(run({"prune"}).code == 64);
  for (const char* const bad : {"0", "-1", "x", "3w", "d", "1.5d", "99999999"}) {
    BOOST_TEST(run({"prune", std::string("--keep-runs=") + bad}).code == 64, bad);
  }
  BOOST_TEST(bare({"prune", "--keep-runs", "3", "--history", at("none.sqlite").string()}).code == 3);
  BOOST_TEST(!std::filesystem::exists(at("none.sqlite")));
}

BOOST_AUTO_TEST_SUITE_END()
