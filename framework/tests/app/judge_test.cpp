#include <boost/test/unit_test.hpp>
#include <cstdlib>

#include "app/desk.hpp"

using namespace opgate::tests;
using opgate::core::ExitCode;
using opgate::core::Status;

namespace {

// Six steady runs of two cases, accepted.
void accept_baseline(const Desk& desk) {
  desk.import(kHeader + steady_runs(1, 6, "add.small.f16", 5000) + steady_runs(1, 6, "wide.w.f16", 90000));
  const Said said = desk.run({"baseline", "accept", "--runs", "1,2,3,4,5,6", "--reason", "first"});
  BOOST_REQUIRE_MESSAGE(said.code == 0, said.err);
}

std::string verdict_of(const Said& said, const std::string& name) {
  for (const auto& line : said.lines()) {
    if (line["case"] == name) return line["verdict"];
  }
  return "MISSING";
}

std::int64_t store_one(const Desk& desk, const opgate::store::CaseResult& result,
                       const std::vector<std::string>& selected = {}) {
  auto history = desk.history();
  opgate::store::RunInfo run;
  run.origin = "hand";
  run.selected = selected;
  const auto id = history.open_run(run);
  history.put_result(id, result);
  history.close_run(id, 1);
  return id;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(judge)

BOOST_AUTO_TEST_CASE(exit_code_and_verdicts_agree) {
  const Desk desk;
  accept_baseline(desk);
  desk.import(kHeader + samples(7, "add.small.f16", 5001) + samples(7, "wide.w.f16", 90001) +
              samples(8, "add.small.f16", 5500) + samples(8, "wide.w.f16", 90001) + samples(9, "wide.w.f16", 70000));
  const Said same = desk.run({"judge", "--run", "7", "--json"});
  BOOST_TEST(same.code == 0);
  BOOST_TEST(verdict_of(same, "add.small.f16") == "pass");
  const Said slow = desk.run({"judge", "--run", "8", "--json"});
  BOOST_TEST(slow.code == 1);
  BOOST_TEST(verdict_of(slow, "add.small.f16") == "regressed");
  BOOST_TEST(verdict_of(slow, "wide.w.f16") == "pass");
  const Said last = desk.run({"judge", "--json"});
  BOOST_TEST(last.code == 0);
  BOOST_TEST(verdict_of(last, "wide.w.f16") == "improved");
  BOOST_TEST(last.lines().size() == 1U);
}

BOOST_AUTO_TEST_CASE(json_has_the_promised_fields_and_no_others_in_their_place) {
  const Desk desk;
  accept_baseline(desk);
  desk.import(kHeader + samples(8, "add.small.f16", 5500));
  const auto line = desk.run({"judge", "--run", "8", "--json"}).lines().at(0);
  for (const char* field : {"case", "verdict", "metric", "baseline_ns", "measured_ns", "change_pct", "threshold_pct",
                            "detectable_pct", "reason"}) {
    BOOST_TEST_CONTEXT(field) BOOST_TEST(line.contains(field));
  }
  BOOST_TEST(line["baseline_ns"].get<double>() > 4990);
  BOOST_TEST(line["measured_ns"] == 5500.0);
  BOOST_TEST(line["change_pct"].get<double>() > 9);
  BOOST_TEST(line["exit_code"] == 1);
}

BOOST_AUTO_TEST_CASE(text_names_the_case_and_counts) {
  const Desk desk;
  accept_baseline(desk);
  desk.import(kHeader + samples(8, "add.small.f16", 5500) + samples(8, "wide.w.f16", 90001));
  const Said said = desk.run({"judge"});
  BOOST_TEST(said.out.find("regressed  add.small.f16  0.005500 ms") != std::string::npos);
  BOOST_TEST(said.out.find("2 cases: 1 pass, 1 regressed") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_replayed_run_is_told_apart_from_a_measured_one) {
  const Desk desk;
  auto result = stored_result("tiny", 5500);
  result.attempts.at(0).replayed = true;
  store_one(desk, result);
  const Said said = desk.run({"judge"});
  BOOST_TEST(said.out.find("1 case, 1 replayed from recorded traces, NOT MEASURED: 1 no-baseline") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_confirming_run_clears_or_keeps_a_suspect) {
  const Desk desk;
  accept_baseline(desk);
  desk.import(kHeader + samples(8, "add.small.f16", 5500) + samples(9, "add.small.f16", 5001) +
              samples(10, "add.small.f16", 5490));
  BOOST_TEST(desk.run({"judge", "--run", "8"}).code == 1);
  BOOST_TEST(desk.run({"judge", "--run", "8", "--confirm-run", "9"}).code != 1);
  BOOST_TEST(desk.run({"judge", "--run", "8", "--confirm-run", "10"}).code == 1);
  BOOST_TEST(desk.run({"judge", "--run", "8", "--confirm-run", "99"}).code == 3);
}

// A case asks for a confirmation by itself; where that gave none, judging it again must not make up its mind.
BOOST_AUTO_TEST_CASE(a_suspect_that_could_not_be_confirmed_stays_inconclusive) {
  const Desk desk;
  desk.import(kHeader + steady_runs(1, 6, "tiny", 5000));
  BOOST_REQUIRE(desk.run({"baseline", "accept", "--last", "6", "--reason", "r"}).code == 0);
  auto result = stored_result("tiny", 5500);
  result.identity.op = "tiny";
  result.identity.workload = "";
  result.attempts.at(0).device.max_sm_mhz = 1980;
  result.attempts.at(0).implementations.at(0).kernel_groups = {"1 kernel"};
  store_one(desk, result);
  BOOST_TEST(desk.run({"judge"}).code == 1);
  result.judgement = opgate::core::Judgement{};
  result.judgement->verdict = opgate::core::Verdict::inconclusive;
  result.exit_code = ExitCode::inconclusive;
  store_one(desk, result);
  const Said said = desk.run({"judge", "--json"});
  BOOST_TEST(said.code == 6);
  BOOST_TEST(verdict_of(said, "tiny") == "inconclusive");
  BOOST_TEST(said.out.find("no fresh worker could confirm it") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_results_own_confirmation_is_used) {
  const Desk desk;
  desk.import(kHeader + steady_runs(1, 6, "tiny", 5000));
  BOOST_REQUIRE(desk.run({"baseline", "accept", "--last", "6", "--reason", "r"}).code == 0);
  auto result = stored_result("tiny", 5500);
  result.identity.op = "tiny";
  result.identity.workload = "";
  auto confirmation = stored_result("tiny", 5001).attempts.at(0);
  confirmation.number = 2;
  confirmation.purpose = "confirm";
  for (auto* attempt : {&result.attempts.at(0), &confirmation}) {
    attempt->device.max_sm_mhz = 1980;
    attempt->implementations.at(0).kernel_groups = {"1 kernel"};
  }
  store_one(desk, result);
  BOOST_TEST(desk.run({"judge"}).code == 1);
  result.attempts.push_back(confirmation);
  store_one(desk, result);
  BOOST_TEST(desk.run({"judge"}).code != 1);
}

BOOST_AUTO_TEST_CASE(the_worst_code_wins_and_failures_are_read_from_the_history) {
  const Desk desk;
  accept_baseline(desk);
  const auto outcome = [&](Status status, ExitCode code) {
    auto result = stored_result("add.small.f16", 5000);
    result.attempts.at(0).status = status;
    result.attempts.at(0).phase = "measure";
    result.attempts.at(0).message = "the worker was killed by signal 9\n  fix: look";
    result.exit_code = code;
    store_one(desk, result);
    return desk.run({"judge", "--json"});
  };
  const Said failed = outcome(Status::failed, ExitCode::cannot_run);
  BOOST_TEST(failed.code == 3);
  BOOST_TEST(failed.lines().at(0)["verdict"] == "failed");
  BOOST_TEST(failed.lines().at(0)["reason"] == "the worker was killed by signal 9");
  BOOST_TEST(failed.lines().at(0)["measured_ns"].is_null());
  BOOST_TEST(outcome(Status::untrusted, ExitCode::untrusted).code == 2);
  BOOST_TEST(outcome(Status::wrong, ExitCode::wrong_result).code == 5);
  BOOST_TEST(outcome(Status::skipped, ExitCode::skipped).code == 0);
}

BOOST_AUTO_TEST_CASE(cases_skipped_for_one_reason_are_one_row) {
  const Desk desk;
  const auto id = store_one(desk, stored_result("add.small.f16", 5000));
  for (int i = 0; i < 5; ++i) {
    auto skipped = stored_result("add.skipped-" + std::to_string(i) + ".f16", 5000);
    skipped.attempts.at(0).status = Status::skipped;
    skipped.attempts.at(0).implementations.clear();
    skipped.attempts.at(0).message = i < 4 ? "no recorded trace" : "needs 4 GiB";
    skipped.exit_code = ExitCode::skipped;
    desk.history().put_result(id, skipped);
  }
  const Said said = desk.run({"judge"});
  BOOST_TEST(said.out.find("4 cases") != std::string::npos);
  BOOST_TEST(said.out.find("add.skipped-0.f16") == std::string::npos);
  BOOST_TEST(said.out.find("add.skipped-4.f16") != std::string::npos);
  BOOST_TEST(said.out.find("6 cases: 1 no-baseline, 5 skipped") != std::string::npos);
  BOOST_TEST(desk.run({"judge", "--json"}).lines().size() == 6U);
}

BOOST_AUTO_TEST_CASE(a_case_that_never_closed_or_ran_twice_is_3) {
  const Desk desk;
  auto running = stored_result("add.small.f16", 5000);
  running.exit_code.reset();
  running.attempts.at(0).status = Status::running;
  store_one(desk, running);
  const Said open = desk.run({"judge", "--json"});
  BOOST_TEST(open.code == 3);
  BOOST_TEST(open.lines().at(0)["verdict"] == "running");
  auto twice = stored_result("add.small.f16", 5000);
  twice.times_recorded = 2;
  store_one(desk, twice);
  const Said said = desk.run({"judge", "--json"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.lines().at(0)["verdict"] == "recorded-twice");
}

BOOST_AUTO_TEST_CASE(required_baselines_are_4) {
  const Desk desk;
  desk.import(kHeader + samples(1, "add.small.f16", 5000));
  BOOST_TEST(desk.run({"judge"}).code == 0);
  ::setenv("OPGATE_REQUIRE_BASELINE", "1", 1);
  const Said said = desk.run({"judge", "--json"});
  ::unsetenv("OPGATE_REQUIRE_BASELINE");
  BOOST_TEST(said.code == 4);
  BOOST_TEST(said.lines().at(0)["verdict"] == "no-baseline");
}

BOOST_AUTO_TEST_CASE(check_fails_for_selected_cases_without_a_result) {
  const Desk desk;
  store_one(desk, stored_result("add.small.f16", 5000), {"add.small.f16", "add.large.f16"});
  BOOST_TEST(desk.run({"judge"}).code == 0);
  const Said said = desk.run({"judge", "--check", "--json"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(verdict_of(said, "add.large.f16") == "missing");
  BOOST_TEST(desk.run({"judge", "--check", "--filter", "small"}).code == 0);
}

BOOST_AUTO_TEST_CASE(check_fails_for_a_run_that_was_never_closed) {
  const Desk desk;
  {
    auto history = desk.history();
    const auto id = history.open_run({});
    history.put_result(id, stored_result("add.small.f16", 5000));
  }
  BOOST_TEST(desk.run({"judge"}).code == 0);
  BOOST_TEST(desk.run({"judge", "--check"}).code == 3);
}

BOOST_AUTO_TEST_CASE(check_fails_for_a_run_that_measured_nothing_where_a_gpu_is_required) {
  const Desk desk;
  auto result = stored_result("add.small.f16", 5000);
  const auto checked = [&] {
    store_one(desk, result);
    ::setenv("OPGATE_REQUIRE_GPU", "1", 1);
    const Said said = desk.run({"judge", "--check"});
    ::unsetenv("OPGATE_REQUIRE_GPU");
    return said;
  };
  BOOST_TEST(checked().code == 0);
  result.attempts.at(0).replayed = true;
  BOOST_TEST(checked().code == 3);
  result.attempts.at(0) = {};
  result.attempts.at(0).status = Status::skipped;
  result.exit_code = ExitCode::skipped;
  const Said skipped = checked();
  BOOST_TEST(skipped.code == 3);
  BOOST_TEST(skipped.err.find("measured nothing, although OPGATE_REQUIRE_GPU=1") != std::string::npos);
  BOOST_TEST(desk.run({"judge", "--check"}).code == 0);
}

BOOST_AUTO_TEST_CASE(nothing_matched_is_never_green) {
  const Desk desk;
  accept_baseline(desk);
  const Said said = desk.run({"judge", "--filter", "nosuch"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.err.find("holds no case matching 'nosuch'") != std::string::npos);
  BOOST_TEST(desk.run({"judge", "--run", "77"}).code == 3);
  (void)desk.history().open_run({});
  BOOST_TEST(desk.run({"judge"}).code == 3);  // the newest run holds nothing
}

BOOST_AUTO_TEST_CASE(a_malformed_baseline_stops_it) {
  const Desk desk;
  accept_baseline(desk);
  desk.write("b/unknown/add.json", "{\"version\": 1,}");
  const Said said = desk.run({"judge"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.err.find("add.json:1") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_baseline_file_of_another_op_is_not_judged_by) {
  const Desk desk;
  accept_baseline(desk);
  std::filesystem::copy_file(desk.at("b/unknown/add.json"), desk.at("b/unknown/wide.json"),
                             std::filesystem::copy_options::overwrite_existing);
  const Said said = desk.run({"judge"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(said.err.find("holds baselines of op \"add\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_waived_regression_keeps_its_verdict_until_the_waiver_ends) {
  const Desk desk;
  accept_baseline(desk);
  desk.import(kHeader + samples(8, "add.small.f16", 5500) + samples(8, "wide.w.f16", 90001));
  const auto waive_until = [&](const std::string& day) {
    desk.write(
        "b/waivers.json",
        R"({"waivers": [{"case": "add.small.f16", "owner": "Ada", "reason": "known", "expires": ")" + day + "\"}]}");
    return desk.run({"judge", "--run", "8", "--json"});
  };
  const Said waived = waive_until("9999-12-31");
  BOOST_TEST(waived.code == 0);
  BOOST_TEST(verdict_of(waived, "add.small.f16") == "regressed");
  BOOST_TEST(waived.lines().at(0)["waiver"]["owner"] == "Ada");
  BOOST_TEST(waived.lines().at(0)["rule_version"] == 5);
  BOOST_TEST(desk.run({"judge", "--run", "8"}).out.find("regressed, waived") != std::string::npos);
  const Said expired = waive_until("2020-01-01");
  BOOST_TEST(expired.code == 1);
  BOOST_TEST(expired.lines().at(0)["waiver"].is_null());
  BOOST_TEST(expired.out.find("the waiver of Ada ended on 2020-01-01") != std::string::npos);
  BOOST_TEST(waive_until("soon").code == 3);
}

BOOST_AUTO_TEST_CASE(slow_creep_under_the_tolerance_is_caught) {
  const Desk desk;
  std::string csv = kHeader;
  for (int step = 0; step < 4; ++step)
    csv += steady_runs(5 * step + 1, 5 * step + 5, "wide.w.f16", 100'000 + 700 * step);
  desk.import(csv + samples(21, "wide.w.f16", 102'900) + samples(22, "wide.w.f16", 103'060));
  for (const char* runs : {"1,2,3,4,5", "6,7,8,9,10", "11,12,13,14,15", "16,17,18,19,20"}) {
    BOOST_REQUIRE(desk.run({"baseline", "accept", "--runs", runs, "--reason", "r"}).code == 0);
  }
  BOOST_TEST(desk.run({"judge", "--run", "21"}).code == 0);
  const Said crept = desk.run({"judge", "--run", "22", "--json"});
  BOOST_TEST(crept.code == 1);
  BOOST_TEST(crept.lines().at(0)["origin_change_pct"].get<double>() > 3);
  BOOST_TEST(crept.lines().at(0)["change_pct"].get<double>() < 1);
}

BOOST_AUTO_TEST_SUITE_END()
