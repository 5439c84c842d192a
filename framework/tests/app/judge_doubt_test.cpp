// Readings that their clock puts in doubt, and the fresh processes that decide in their place.
#include <boost/test/unit_test.hpp>

#include "app/desk.hpp"

using namespace opgate::tests;

namespace {

const std::string kCase = "wide.w.f16";

// samples() at another SM clock than that of the baseline.
std::string clocked_samples(int run, const std::string& name, int busy_ns, int sm_mhz) {
  const std::string usual = ",1980\n";
  std::string text = samples(run, name, busy_ns);
  for (auto at = text.find(usual); at != std::string::npos; at = text.find(usual, at + 1))
    text.replace(at, usual.size(), "," + std::to_string(sm_mhz) + "\n");
  return text;
}

// Runs 8 and 9 are 3 % slower at a clock 3 % lower: throttled, or slower by their own? Run 10 is as ever, 11 is slower.
struct Doubted : Desk {
  Doubted() {
    import(kHeader + steady_runs(1, 6, kCase, 90'000) + clocked_samples(8, kCase, 92'700, 1920) +
           clocked_samples(9, kCase, 92'705, 1920) + samples(10, kCase, 90'001) + samples(11, kCase, 94'500));
    BOOST_REQUIRE(run({"baseline", "accept", "--runs", "1,2,3,4,5,6", "--reason", "r"}).code == 0);
  }
  [[nodiscard]] Said confirmed_by(const std::string& run_id) const {
    return run({"judge", "--run", "8", "--confirm-run", run_id, "--json"});
  }
};

bool any_note_says(const nlohmann::json& line, const std::string& words) {
  return line.at("notes").dump().find(words) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(judge_doubt)

BOOST_FIXTURE_TEST_CASE(a_reading_in_doubt_is_no_pass_by_itself, Doubted) {
  const Said alone = run({"judge", "--run", "8", "--json"});
  BOOST_TEST(alone.code == 6);
  BOOST_TEST(alone.lines().at(0)["verdict"] == "inconclusive");
  BOOST_TEST(alone.lines().at(0)["set_aside"] == 0);
}

BOOST_FIXTURE_TEST_CASE(a_clean_confirming_run_decides_for_a_reading_in_doubt, Doubted) {
  const Said said = confirmed_by("10");
  const auto line = said.lines().at(0);
  BOOST_TEST(said.code == 0);
  BOOST_TEST(line["verdict"] == "pass");
  BOOST_TEST(line["set_aside"] == 1);
  BOOST_TEST(line["reason"].get<std::string>().find("a fresh process alone is not slower") != std::string::npos, line);
  BOOST_TEST(any_note_says(line, "the first reading was in doubt"), line);
}

// The confirming run is judged in place of the doubtful one, so that it confirms nothing: as when a case settles
// itself.
BOOST_FIXTURE_TEST_CASE(a_slow_confirming_run_of_a_reading_in_doubt_waits_for_another_one, Doubted) {
  const Said said = confirmed_by("11");
  const auto line = said.lines().at(0);
  BOOST_TEST(said.code == 6);
  BOOST_TEST(line["verdict"] == "inconclusive");
  BOOST_TEST(line["set_aside"] == 1);
  BOOST_TEST(line["measured_ns"].get<double>() > 94'000);
  const auto reason = line["reason"].get<std::string>();
  BOOST_TEST(reason.find("judged in its place is slower than the limit, but no other one could confirm it") !=
                 std::string::npos,
             reason);
  BOOST_TEST(reason.find("5.0 % slower") != std::string::npos, reason);
  BOOST_TEST(run({"judge", "--run", "8", "--confirm-run", "11"}).out.find("no other one could confirm it") !=
             std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_confirming_run_in_doubt_as_well_tells_nothing, Doubted) {
  const Said said = confirmed_by("9");
  const auto line = said.lines().at(0);
  BOOST_TEST(said.code == 6);
  BOOST_TEST(line["verdict"] == "inconclusive");
  BOOST_TEST(line["set_aside"] == 0);
  BOOST_TEST(line["reason"].get<std::string>().find("a fresh process is in doubt as well") != std::string::npos, line);
}

// A worker that took the place of a reading in doubt, and another one that confirms it.
BOOST_AUTO_TEST_CASE(a_result_in_doubt_with_two_workers_of_its_own_is_regressed) {
  const Desk desk;
  desk.import(kHeader + steady_runs(1, 6, "tiny", 100'000));
  BOOST_REQUIRE(desk.run({"baseline", "accept", "--last", "6", "--reason", "r"}).code == 0);
  auto result = stored_result("tiny", 103'000);
  result.identity.op = "tiny";
  result.identity.workload = "";
  for (opgate::Sample& sample : result.attempts.at(0).implementations.at(0).measurement.samples) sample.sm_mhz = 1920;
  for (int number = 2; number < 4; ++number) {
    auto worker = stored_result("tiny", 105'000).attempts.at(0);
    worker.number = number;
    worker.purpose = "confirm";
    result.attempts.push_back(worker);
  }
  for (auto& attempt : result.attempts) {
    attempt.device.max_sm_mhz = 1980;
    attempt.implementations.at(0).kernel_groups = {"1 kernel"};
  }
  desk.import(kHeader + samples(20, "tiny", 105'000) + samples(21, "tiny", 100'000));
  std::string id;
  const auto judged = [&] {
    auto history = desk.history();
    const auto run = history.open_run({});
    history.put_result(run, result);
    history.close_run(run, 1);
    id = std::to_string(run);
    return desk.run({"judge", "--json"});
  };
  BOOST_TEST(judged().code == 1);
  // One more says the same, or that it was chance; it takes the place of none.
  BOOST_TEST(desk.run({"judge", "--run", id, "--confirm-run", "20"}).code == 1);
  BOOST_TEST(desk.run({"judge", "--run", id, "--confirm-run", "21"}).code == 0);
  result.attempts.pop_back();
  const Said one = judged();
  BOOST_TEST(one.code == 6);
  BOOST_TEST(one.lines().at(0)["set_aside"] == 1);
  BOOST_TEST(desk.run({"judge", "--run", id, "--confirm-run", "20"}).code == 1);
  result.attempts.pop_back();
  BOOST_TEST(judged().code == 6);
}

BOOST_AUTO_TEST_SUITE_END()
