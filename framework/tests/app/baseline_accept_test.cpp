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
    const auto id = history.open_run(run);
    history.put_result(id, result);
    if (run.label != "open") history.close_run(id, 1);
  }
}

// Of runs that were named: refused unless the option is given. Of the last ones: passed over, and that is said.
void refused_unless(const std::string& option, const std::string& text,
                    const std::function<void(opgate::store::RunInfo&, opgate::store::CaseResult&)>& change) {
  const Desk desk;
  store_runs(desk, change);
  const Said refused = accept(desk, {"--runs", "1,2,3,4,5,6"});
  BOOST_TEST(refused.code == 3);
  BOOST_TEST_CONTEXT(refused.err) BOOST_TEST(refused.err.find(text) != std::string::npos);
  BOOST_TEST(refused.err.find("run 6: " + kName) != std::string::npos);
  BOOST_TEST(refused.err.find(option) != std::string::npos);
  BOOST_TEST(!written(desk));
  const Said passed_over = accept(desk, {"--last", "5"});
  BOOST_TEST_CONTEXT(passed_over.err) {
    BOOST_TEST(passed_over.code == 0);
    BOOST_TEST(passed_over.err.find("passed over run 6: " + kName) != std::string::npos);
    BOOST_TEST(passed_over.err.find(text) != std::string::npos);
  }
  std::filesystem::remove_all(desk.at("b"));
  const Said allowed = accept(desk, {"--runs", "1,2,3,4,5,6", option});
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

// Where it is accepted may be another checkout than where it was measured.
BOOST_AUTO_TEST_CASE(the_commit_is_the_one_the_newest_run_measured) {
  const Desk desk;
  auto history = desk.history();
  for (int i = 0; i < 5; ++i) {
    opgate::store::RunInfo run;
    run.origin = "hand";
    run.commit = i == 4 ? std::string(40, 'b') : std::string(40, 'a');
    run.dirty = i == 4;
    const auto id = history.open_run(run);
    history.put_result(id, stored_result(kName, 5000 + i));
    history.close_run(id, 1);
  }
  const Said said = accept(desk, {"--runs", "1,2,3,4,5", "--allow-dirty"});
  BOOST_REQUIRE_MESSAGE(said.code == 0, said.err);
  const auto entry =
      opgate::store::find_baseline(desk.at("b"), stored_result(kName, 1).attempts.front().device.name, "add", kName);
  BOOST_REQUIRE(entry.has_value());
  BOOST_TEST(entry->accepted.commit == std::string(40, 'b') + "-dirty");
  BOOST_REQUIRE(entry->baseline.model.origin.has_value());
  BOOST_TEST(entry->baseline.model.origin->commit == entry->accepted.commit);
}

BOOST_AUTO_TEST_CASE(cases_it_does_not_touch_are_kept) {
  const Desk desk;
  desk.import(kHeader + steady_runs(1, 6, kName, 5000) + steady_runs(1, 6, "add.other.f16", 9000) +
              steady_runs(7, 12, kName, 6000) + steady_runs(7, 12, "add.other.f16", 9900));
  BOOST_REQUIRE(accept(desk, {"--runs", "1,2,3,4,5,6"}).code == 0);
  const Said said = accept(desk, {"--last", "6", "--filter", "small", "--allow-drift", "--json"});
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
  refused_unless("--allow-options", "by hand with --iterations 5",
                 [](auto& run, auto&) { run.options = "--iterations 5"; });
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
      const auto id = history.open_run({});
      history.put_result(id, result);
      history.close_run(id, 1);
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
  const Said text = accept(desk, {"--last", "5"}, "diff");
  BOOST_TEST(text.out.find("+20.0") != std::string::npos);
  BOOST_TEST(text.out.find("needs --allow-drift") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_last_runs_are_complete_ones) {
  const Desk open;
  store_runs(open, [](auto& run, auto&) { run.label = "open"; });
  const Said unclosed = accept(open, {"--last", "6"});
  BOOST_TEST(unclosed.code == 0);
  BOOST_TEST(unclosed.err.find("passed over run 6: it was never closed") != std::string::npos, unclosed.err);
  BOOST_TEST(unclosed.err.find("5 runs of the 6 asked for qualify") != std::string::npos, unclosed.err);
  const Desk half;
  store_runs(half, [](auto& run, auto&) { run.selected = {kName, "add.other.f16"}; });
  BOOST_TEST(accept(half, {"--last", "5"}).err.find("run 6: add.other.f16 was selected and recorded nothing") !=
             std::string::npos);
  BOOST_TEST(accept(half, {"--last", "6", "--filter", "small"}).err.find("passed over") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(accepting_the_same_runs_again_changes_no_byte) {
  const Desk desk;
  desk.import(kHeader + steady_runs(1, 10, kName, 5000) + steady_runs(1, 10, "add.other.f16", 9000));
  BOOST_REQUIRE(accept(desk, {"--runs", "1,2,3,4,5"}).code == 0);
  const auto content = [&] { return opgate::text::read_file(desk.at("b/unknown/add.json"), opgate::ErrorKind::io); };
  const std::string before = content();
  const Said again = desk.run({"baseline", "accept", "--runs", "1,2,3,4,5", "--reason", "another"});
  BOOST_TEST(again.code == 0);
  BOOST_TEST(again.out.find("2 cases rest on these runs already") != std::string::npos, again.out);
  BOOST_TEST(content() == before);
  BOOST_REQUIRE(accept(desk, {"--last", "5", "--filter", "other"}).code == 0);
  const auto block = [&](const std::string& text) {
    const auto from = text.find("\"" + kName + "\"");
    return text.substr(from, text.find("\n    }", from) - from);
  };
  BOOST_TEST(content() != before);
  BOOST_TEST(block(content()) == block(before));
}

BOOST_AUTO_TEST_CASE(slow_creep_beyond_the_budget_needs_its_option) {
  const Desk desk;
  desk.import(kHeader + steady_runs(1, 5, "wide.w.f16", 100'000) + steady_runs(6, 10, "wide.w.f16", 101'800) +
              steady_runs(11, 15, "wide.w.f16", 103'500));
  const auto line = [&](const std::vector<std::string>& words) {
    auto with_json = words;
    with_json.emplace_back("--json");
    const Said said = accept(desk, with_json);
    BOOST_REQUIRE_MESSAGE(said.code == 0, said.err);
    return said.lines().at(0);
  };
  line({"--runs", "1,2,3,4,5"});
  const auto second = line({"--runs", "6,7,8,9,10"});
  BOOST_TEST(second["origin_ns"].get<double>() < 100'010);
  BOOST_TEST(second["origin_change_pct"].get<double>() > 1.7);
  const Said refused = accept(desk, {"--runs", "11,12,13,14,15"});
  BOOST_TEST(refused.code == 3);
  BOOST_TEST(refused.err.find("3.5 % slower than its first baseline") != std::string::npos, refused.err);
  BOOST_TEST(refused.err.find("--allow-drift") != std::string::npos, refused.err);
  const auto third = line({"--runs", "11,12,13,14,15", "--allow-drift"});
  BOOST_TEST(third["origin_ns"].get<double>() > 103'490);
  BOOST_TEST(third["note"].get<std::string>().find("counts from here on, after +3.5 %") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_compared_with_the_first_baseline_counts_anew) {
  const Desk desk;
  {
    auto history = desk.history();
    for (int i = 0; i < 10; ++i) {
      auto result = stored_result(kName, i < 5 ? 50'000 : 60'000);
      result.attempts.at(0).device.driver = i < 5 ? "570.1" : "580.1";
      history.put_result(history.open_run({}), result);
    }
  }
  BOOST_REQUIRE(accept(desk, {"--runs", "1,2,3,4,5"}).code == 0);
  const Said said = accept(desk, {"--runs", "6,7,8,9,10", "--json"});
  BOOST_REQUIRE_MESSAGE(said.code == 0, said.err);
  BOOST_TEST(said.lines().at(0)["note"].get<std::string>().find("driver branch differs") != std::string::npos);
  BOOST_TEST(said.lines().at(0)["origin_ns"].get<double>() > 59'990);
}

BOOST_AUTO_TEST_SUITE_END()
