#include <boost/test/unit_test.hpp>

#include "app/desk.hpp"
#include "store/baseline_file.hpp"
#include "text/file.hpp"

using namespace opgate::tests;

namespace {

const std::string kName = "add.small.f16";
const std::string kModel = "NVIDIA H200";

void store_runs(opgate::store::History& history, const std::string& unit, int runs, const std::string& cuda = "13.0") {
  for (int i = 0; i < runs; ++i) {
    auto result = stored_result(kName, 5000 + i);
    result.attempts.at(0).device.name = kModel;
    result.attempts.at(0).device.uuid = unit;
    result.attempts.at(0).device.cuda = cuda;
    const auto id = history.open_run({});
    history.put_result(id, result);
    history.close_run(id, 1);
  }
}

Said accept(const Desk& desk, const std::vector<std::string>& more) {
  std::vector<std::string> words{"baseline", "accept", "--reason", "why not"};
  words.insert(words.end(), more.begin(), more.end());
  return desk.run(words);
}

opgate::store::BaselineEntry entry_of(const Desk& desk) {
  return opgate::store::find_baseline(desk.at("b"), kModel, "add", kName).value();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(baseline_add)

BOOST_AUTO_TEST_CASE(the_runs_of_another_unit_stay) {
  const Desk desk;
  {
    auto history = desk.history();
    store_runs(history, "GPU-a", 5);
    store_runs(history, "GPU-b", 5);
  }
  BOOST_REQUIRE(accept(desk, {"--runs", "1,2,3,4,5"}).code == 0);
  const Said said = accept(desk, {"--last", "5", "--add"});
  BOOST_REQUIRE_MESSAGE(said.code == 0, said.err);
  BOOST_TEST(said.out.find("drops") == std::string::npos, said.out);
  const auto entry = entry_of(desk);
  BOOST_TEST(entry.baseline.units.size() == 2U);
  BOOST_TEST(entry.baseline.model.time->run_medians_ns.size() == 10U);
  BOOST_TEST(entry.accepted.run_uuids.size() == 10U);
  BOOST_TEST(accept(desk, {"--last", "5"}).out.find("drops the baseline of GPU-a") != std::string::npos);
  BOOST_TEST(entry_of(desk).baseline.units.size() == 1U);
}

BOOST_AUTO_TEST_CASE(nightlies_add_theirs_one_by_one) {
  const Desk desk;
  {
    auto history = desk.history();
    store_runs(history, "GPU-a", 6);
  }
  BOOST_REQUIRE(accept(desk, {"--runs", "1,2,3,4,5"}).code == 0);
  BOOST_TEST(accept(desk, {"--last", "1", "--add"}).code == 0);
  BOOST_TEST(entry_of(desk).baseline.units.at("GPU-a").time->run_medians_ns.size() == 6U);
}

BOOST_AUTO_TEST_CASE(what_is_in_it_already_changes_no_byte) {
  const Desk desk;
  {
    auto history = desk.history();
    store_runs(history, "GPU-a", 7);
  }
  BOOST_REQUIRE(accept(desk, {"--runs", "1,2,3,4,5,6,7"}).code == 0);
  const auto content = [&] {
    return opgate::text::read_file(desk.at("b/nvidia-h200/add.json"), opgate::ErrorKind::io);
  };
  const std::string before = content();
  const Said said = accept(desk, {"--runs", "2,4", "--add"});
  BOOST_TEST(said.code == 0);
  BOOST_TEST(said.out.find("1 case rests on these runs already") != std::string::npos, said.out);
  BOOST_TEST(content() == before);
}

BOOST_AUTO_TEST_CASE(accepted_runs_that_the_history_lacks_are_named_and_nothing_is_written) {
  const Desk desk;
  {
    auto history = desk.history();
    store_runs(history, "GPU-a", 5);
  }
  BOOST_REQUIRE(accept(desk, {"--last", "5"}).code == 0);
  const std::string lost = entry_of(desk).accepted.run_uuids.front();
  const Desk elsewhere;
  {
    auto history = elsewhere.history();
    store_runs(history, "GPU-b", 5);
  }
  std::filesystem::copy(desk.at("b"), elsewhere.at("b"), std::filesystem::copy_options::recursive);
  const Said said = accept(elsewhere, {"--last", "5", "--add"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.err.find("its accepted run " + lost + " is not in this history") != std::string::npos, said.err);
  BOOST_TEST(said.err.find("import the history that holds it") != std::string::npos);
  BOOST_TEST(entry_of(elsewhere).baseline.units.contains("GPU-a"));
}

BOOST_AUTO_TEST_CASE(runs_taken_in_other_ways_are_left_out_and_counted) {
  const Desk desk;
  {
    auto history = desk.history();
    store_runs(history, "GPU-a", 5, "12.8");
    store_runs(history, "GPU-b", 5, "13.0");
  }
  BOOST_REQUIRE(accept(desk, {"--runs", "1,2,3,4,5"}).code == 0);
  const Said said = accept(desk, {"--last", "5", "--add"});
  BOOST_REQUIRE_MESSAGE(said.code == 0, said.err);
  BOOST_TEST(said.out.find("leaves out 5 accepted runs taken in other ways") != std::string::npos, said.out);
  BOOST_TEST(entry_of(desk).baseline.units.size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
