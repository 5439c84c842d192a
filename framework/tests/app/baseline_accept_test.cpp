#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <functional>

#include "app/desk.hpp"
#include "store/baseline_file.hpp"
#include "text/file.hpp"

using namespace opgate::tests;
using opgate::core::ExitCode;
using opgate::core::Status;

namespace {

const std::string kName = "add.small.f16";

Said accept(const Desk& desk, const std::vector<std::string>& more, const std::string& word = "accept") {
  std::vector<std::string> words{"baseline", word};
  words.insert(words.end(), more.begin(), more.end());
  if (word == "accept") words.insert(words.end(), {"--reason", "why not"});
  return desk.run(words);
}

bool written(const Desk& desk) {
  return std::filesystem::exists(desk.at("b"));
}

// Five good runs, and one more that is what `change` makes of it.
void store_runs(const Desk& desk,
                const std::function<void(opgate::store::RunInfo&, opgate::store::CaseResult&)>& change) {
  auto history = desk.history();
  for (int i = 0; i < 6; ++i) {
    opgate::store::RunInfo run;
    run.origin = "hand";
    auto result = stored_result(kName, 5000 + i);
    if (i == 5) change(run, result);
    history.put_result(history.open_run(run), result);
  }
}

void refused_unless(const std::string& option, const std::string& text,
                    const std::function<void(opgate::store::RunInfo&, opgate::store::CaseResult&)>& change) {
  const Desk desk;
  store_runs(desk, change);
  const Said refused = accept(desk, {"--last", "6"});
  BOOST_TEST(refused.code == 3);
  BOOST_TEST_CONTEXT(refused.err) BOOST_TEST(refused.err.find(text) != std::string::npos);
  BOOST_TEST(refused.err.find("run 6: " + kName) != std::string::npos);
  BOOST_TEST(refused.err.find(option) != std::string::npos);
  BOOST_TEST(!written(desk));
  const Said allowed = accept(desk, {"--last", "6", option});
  BOOST_TEST_CONTEXT(allowed.err) BOOST_TEST(allowed.code == 0);
  BOOST_TEST(written(desk));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(baseline_accept)

BOOST_AUTO_TEST_CASE(it_writes_who_when_why_and_the_runs) {
  const Desk desk;
  ::setenv("GIT_CONFIG_GLOBAL", desk.write("gitconfig", "[user]\n name = Ada\n email = ada@example.org\n").c_str(), 1);
  desk.import(kHeader + steady_runs(1, 6, kName, 5000));
  const Said said = accept(desk, {"--runs", "1,2,3,4,5,6"});
  ::unsetenv("GIT_CONFIG_GLOBAL");
  BOOST_REQUIRE_MESSAGE(said.code == 0, said.err);
  BOOST_TEST(said.out.find("1 case accepted: why not") != std::string::npos);
  const auto entry = opgate::store::find_baseline(desk.at("b"), "", "add", kName);
  BOOST_REQUIRE(entry.has_value());
  BOOST_TEST(entry->accepted.who == "Ada <ada@example.org>");
  BOOST_TEST(entry->accepted.reason == "why not");
  BOOST_TEST(entry->accepted.when.size() == 20U);
  BOOST_TEST(entry->accepted.run_uuids.size() == 6U);
  BOOST_TEST(entry->baseline.model.time->run_medians_ns.size() == 6U);
  BOOST_TEST(std::filesystem::exists(desk.at("b/unknown/add.json")));
}

BOOST_AUTO_TEST_CASE(cases_it_does_not_touch_are_kept) {
  const Desk desk;
  desk.import(kHeader + steady_runs(1, 6, kName, 5000) + steady_runs(1, 6, "add.other.f16", 9000) +
              steady_runs(7, 12, kName, 6000) + steady_runs(7, 12, "add.other.f16", 9900));
  BOOST_REQUIRE(accept(desk, {"--runs", "1,2,3,4,5,6"}).code == 0);
  const Said said = accept(desk, {"--last", "6", "--filter", "small", "--json"});
  BOOST_REQUIRE(said.code == 0);
  BOOST_REQUIRE(said.lines().size() == 1U);
  const auto line = said.lines().at(0);
  BOOST_TEST(line["case"] == kName);
  BOOST_TEST(line["change"] == "replaced");
  BOOST_TEST(line["change_pct"].get<double>() > 19);
  const auto other = opgate::store::find_baseline(desk.at("b"), "", "add", "add.other.f16");
  BOOST_REQUIRE(other.has_value());
  BOOST_TEST(other->baseline.model.time->centre_ns < 9100);
}

BOOST_AUTO_TEST_CASE(fewer_than_five_runs_are_refused_by_name) {
  const Desk desk;
  desk.import(kHeader + steady_runs(1, 4, kName, 5000));
  const Said said = accept(desk, {"--runs", "1,2,3,4,4,4"});  // a run counts once
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.err.find(kName + ": 4 runs measured, a baseline needs at least 5") != std::string::npos);
  BOOST_TEST(!written(desk));
}

BOOST_AUTO_TEST_CASE(dirty_replayed_and_inconclusive_runs_need_their_option) {
  refused_unless("--allow-dirty", "uncommitted changes", [](auto& run, auto&) { run.dirty = true; });
  refused_unless("--allow-replayed", "replayed", [](auto& run, auto&) { run.replayed = true; });
  refused_unless("--allow-replayed", "replayed", [](auto&, auto& result) { result.attempts.at(0).replayed = true; });
  refused_unless("--allow-inconclusive", "inconclusive",
                 [](auto&, auto& result) { result.exit_code = ExitCode::inconclusive; });
}

BOOST_AUTO_TEST_CASE(failed_and_void_results_are_refused_or_left_out) {
  refused_unless("--skip-failed", "no number, it ended as failed", [](auto&, auto& result) {
    result.attempts.at(0).status = Status::failed;
    result.exit_code = ExitCode::cannot_run;
  });
  refused_unless("--skip-failed", "void", [](auto&, auto& result) {
    result.attempts.at(0).status = Status::wrong;
    result.exit_code = ExitCode::wrong_result;
  });
  refused_unless("--skip-failed", "recorded twice", [](auto&, auto& result) { result.times_recorded = 2; });
  refused_unless("--skip-failed", "ended as running", [](auto&, auto& result) {
    result.attempts.at(0).status = Status::running;
    result.exit_code.reset();
  });
}

BOOST_AUTO_TEST_CASE(runs_of_different_work_make_no_baseline) {
  const Desk desk;
  store_runs(desk, [](auto&, auto& result) { result.identity.dimensions["n"] = 7; });
  const Said said = accept(desk, {"--last", "6"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.err.find("measured different work under this name") != std::string::npos);
  const Desk other;
  store_runs(other, [](auto&, auto& result) { result.attempts.at(0).device.driver = "570.1"; });
  BOOST_TEST(accept(other, {"--last", "6"}).err.find("were taken in different ways") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(each_device_model_gets_its_own_file) {
  const Desk desk;
  {
    auto history = desk.history();
    for (int i = 0; i < 10; ++i) {
      auto result = stored_result(kName, 5000 + i);
      result.attempts.at(0).device.name = i < 5 ? "NVIDIA H200" : "NVIDIA H100";
      result.attempts.at(0).device.uuid = i < 5 ? "GPU-a" : "GPU-b";
      history.put_result(history.open_run({}), result);
    }
  }
  BOOST_REQUIRE(accept(desk, {"--last", "10"}).code == 0);
  BOOST_TEST(std::filesystem::exists(desk.at("b/nvidia-h200/add.json")));
  BOOST_TEST(std::filesystem::exists(desk.at("b/nvidia-h100/add.json")));
}

BOOST_AUTO_TEST_CASE(the_newest_runs_are_those_that_hold_a_matching_case) {
  const Desk desk;
  desk.import(kHeader + steady_runs(1, 5, kName, 5000) + steady_runs(6, 9, "wide.w.f16", 90000));
  BOOST_TEST(accept(desk, {"--last", "5", "--filter", "small"}).code == 0);
  BOOST_TEST(accept(desk, {"--last", "5"}).code == 3);
}

BOOST_AUTO_TEST_CASE(nothing_to_accept_is_said) {
  const Desk desk;
  desk.import(kHeader + steady_runs(1, 5, kName, 5000));
  const Said said = accept(desk, {"--runs", "1,2,3,4,5", "--filter", "nosuch"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.err.find("measured no case matching 'nosuch'") != std::string::npos);
  BOOST_TEST(accept(desk, {"--runs", "1,99"}).code == 3);
  BOOST_TEST(accept(desk, {}).code == 64);
  BOOST_TEST(desk.run({"baseline", "accept", "--last", "5", "--reason", " "}).code == 64);
  BOOST_TEST(!written(desk));
}

BOOST_AUTO_TEST_CASE(a_malformed_file_is_not_replaced) {
  const Desk desk;
  desk.import(kHeader + steady_runs(1, 5, kName, 5000));
  BOOST_REQUIRE(accept(desk, {"--last", "5"}).code == 0);
  desk.write("b/unknown/add.json", "{ broken");
  BOOST_TEST(accept(desk, {"--last", "5"}).code == 3);
  BOOST_TEST(opgate::text::read_file(desk.at("b/unknown/add.json"), opgate::ErrorKind::io) == "{ broken");
}

BOOST_AUTO_TEST_CASE(diff_shows_the_change_and_writes_nothing) {
  const Desk desk;
  desk.import(kHeader + steady_runs(1, 5, kName, 5000) + steady_runs(6, 10, kName, 6000));
  BOOST_REQUIRE(accept(desk, {"--runs", "1,2,3,4,5"}).code == 0);
  const auto before = opgate::text::read_file(desk.at("b/unknown/add.json"), opgate::ErrorKind::io);
  const Said said = accept(desk, {"--last", "5", "--json"}, "diff");
  BOOST_TEST(said.code == 0);
  BOOST_TEST(said.lines().at(0)["before_ns"].get<double>() < 5010);
  BOOST_TEST(said.lines().at(0)["baseline_ns"].get<double>() >= 6000);
  BOOST_TEST(opgate::text::read_file(desk.at("b/unknown/add.json"), opgate::ErrorKind::io) == before);
  BOOST_TEST(accept(desk, {"--last", "5"}, "diff").out.find("+20.0") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
