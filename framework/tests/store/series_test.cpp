#include <boost/test/unit_test.hpp>

#include "store/fixtures.hpp"
#include "store/history.hpp"

namespace opgate::store::test {
namespace {

struct Fixture {
  TemporaryFolder folder;
  std::filesystem::path path = folder / "history.sqlite";
  History history = History::open_for_writing(path);

  std::int64_t new_run(const std::string& commit) {
    RunInfo run;
    run.origin = "ctest";
    run.commit = commit;
    run.started_unix_ms = 1000;
    return history.open_run(run);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(series, Fixture)

BOOST_AUTO_TEST_CASE(gives_what_the_results_give_without_their_samples) {
  CaseResult stored = small_result("add.a.f32", 2000);
  stored.attempts.front().device.name = "NVIDIA H200";
  stored.attempts.front().device.uuid = "GPU-a";
  stored.attempts.front().device.driver = "580.159.03";
  stored.attempts.front().device.tick_ns = 32;
  const auto run_id = new_run("abc");
  history.put_result(run_id, stored);
  const auto rows = History::open_for_reading(path).series("add.a.f32");
  BOOST_REQUIRE_EQUAL(rows.size(), 1U);
  const SeriesRow& row = rows[0];
  BOOST_TEST(row.run_id == run_id);
  BOOST_TEST(row.commit == "abc");
  BOOST_TEST(row.started_unix_ms == 1000);
  BOOST_TEST(row.identity.name == "add.a.f32");
  BOOST_TEST((row.exit_code == stored.exit_code));
  BOOST_REQUIRE(row.reading.has_value());
  auto run = case_run(stored, stored.attempts.front());
  BOOST_REQUIRE(run.has_value());
  run->conditions.processes.clear();  // a curve goes on through a change of their number
  const auto reading = core::read_run(*run);
  BOOST_TEST((row.reading->conditions == run->conditions));
  BOOST_TEST(row.reading->unit == "GPU-a");
  BOOST_TEST(row.reading->tick_ns == 32);
  BOOST_TEST(row.reading->median_ns == reading->pooled.time_ns);
  BOOST_TEST(row.reading->groups.empty());
}

BOOST_AUTO_TEST_CASE(the_cases_of_a_run_are_named_without_its_results) {
  history.put_result(new_run(""), small_result("add.a.f32"));
  const auto run_id = new_run("");
  history.put_result(run_id, small_result("b.a.f32"));
  history.put_result(run_id, small_result("add.a.f32"));
  BOOST_TEST(history.case_names(run_id) == (std::vector<std::string>{"add.a.f32", "b.a.f32"}),
             boost::test_tools::per_element());
  BOOST_TEST(history.case_names(99).empty());
}

BOOST_AUTO_TEST_CASE(comes_newest_first_and_at_most_so_many) {
  for (int i = 0; i < 5; ++i) history.put_result(new_run(""), small_result("add.a.f32", 2000 + i));
  history.put_result(new_run(""), small_result("other.a.f32"));
  const auto rows = history.series("add.a.f32", 3);
  BOOST_REQUIRE_EQUAL(rows.size(), 3U);
  BOOST_TEST(rows[0].run_id == 5);
  BOOST_TEST(rows[2].run_id == 3);
  BOOST_TEST(history.series("add.a.f32").size() == 5U);
  BOOST_TEST(history.series("nosuch").empty());
}

BOOST_AUTO_TEST_CASE(rests_on_the_first_measured_attempt_that_is_no_confirmation) {
  CaseResult stored = small_result("add.a.f32", 2000);
  core::Attempt failed;
  failed.status = core::Status::failed;
  core::Attempt repeat = small_result("add.a.f32", 3000).attempts.front();
  repeat.number = 2;
  repeat.purpose = "repeat";
  core::Attempt confirmation = small_result("add.a.f32", 4000).attempts.front();
  confirmation.number = 3;
  confirmation.purpose = "confirm";
  stored.attempts = {failed, repeat, confirmation};
  history.put_result(new_run(""), stored);
  BOOST_TEST(history.series("add.a.f32").at(0).reading->median_ns >= 3000);
  BOOST_TEST(history.series("add.a.f32").at(0).reading->median_ns < 4000);

  stored.attempts = {failed};
  history.put_result(new_run(""), stored);
  const auto row = history.series("add.a.f32").at(0);
  BOOST_TEST(!row.reading.has_value());
  BOOST_TEST((row.last_status == core::Status::failed));
}

BOOST_AUTO_TEST_CASE(a_mixed_call_comes_with_its_groups) {
  CaseResult stored = small_result("add.a.f32", 2000);
  auto& ours = stored.attempts.front().implementations.front();
  ours.kernel_groups = {"1 kernel", "2 kernels"};
  ours.measurement.samples.clear();
  for (int i = 0; i < 20; ++i) {
    Sample sample;
    sample.busy_ns = sample.latency_ns = i % 2 == 0 ? 1000 : 3000;
    sample.n_kernels = 1 + i % 2;
    sample.group = static_cast<std::uint32_t>(i % 2);
    ours.measurement.samples.push_back(sample);
  }
  history.put_result(new_run(""), stored);
  const auto groups = history.series("add.a.f32").at(0).reading->groups;
  BOOST_REQUIRE_EQUAL(groups.size(), 2U);
  BOOST_TEST(groups[0].name == "1 kernel");
  BOOST_TEST(groups[0].reading.time_ns == 1000.0);
  BOOST_TEST(groups[1].reading.time_ns == 3000.0);
}

BOOST_AUTO_TEST_CASE(ends_with_the_run_asked_for) {
  for (int i = 0; i < 5; ++i) history.put_result(new_run(""), small_result("add.a.f32", 2000 + i));
  const auto rows = history.series("add.a.f32", 2, 3);
  BOOST_REQUIRE_EQUAL(rows.size(), 2U);
  BOOST_TEST(rows[0].run_id == 3);
  BOOST_TEST(rows[1].run_id == 2);
}

BOOST_AUTO_TEST_CASE(tells_paced_readings_from_others) {
  CaseResult stored = small_result("add.a.f32", 2000);
  stored.attempts.front().implementations.front().measurement.pacing = 0.5;
  history.put_result(new_run(""), stored);
  BOOST_TEST(history.series("add.a.f32").at(0).reading->conditions.pacing == "0.5");
}

BOOST_AUTO_TEST_CASE(says_what_the_verdict_was_held_against) {
  CaseResult stored = small_result("add.a.f32", 2000);
  stored.attempts.front().implementations.front().measurement.samples.front().sm_mhz = 1980;
  core::Judgement judgement;
  judgement.verdict = core::Verdict::regressed;
  judgement.metric = core::Metric::cycles;
  judgement.baseline_ns = 1900;
  judgement.threshold_pct = 2.5;
  judgement.waiver = core::Waiver{"add.a.f32", "", "Ada", "known", "2026-12-31"};
  stored.judgement = judgement;
  history.put_result(new_run(""), stored);
  const SeriesRow waived = history.series("add.a.f32").at(0);
  BOOST_TEST((waived.metric == core::Metric::cycles));
  BOOST_TEST(*waived.baseline_ns == 1900.0);
  BOOST_TEST(*waived.threshold_pct == 2.5);
  BOOST_TEST(waived.waived);
  BOOST_TEST(!waived.reading->imported);
  stored.judgement.reset();
  stored.attempts.front().implementations.front().imported.emplace();
  history.put_result(new_run(""), stored);
  const SeriesRow imported = history.series("add.a.f32").at(0);
  BOOST_TEST(!imported.waived);
  BOOST_TEST(!imported.baseline_ns.has_value());
  BOOST_TEST(imported.reading->imported);
}

BOOST_AUTO_TEST_CASE(a_replayed_run_or_attempt_is_marked) {
  RunInfo replayed;
  replayed.origin = "replay";
  replayed.replayed = true;
  history.put_result(history.open_run(replayed), small_result("add.a.f32"));
  BOOST_TEST(history.series("add.a.f32").at(0).replayed);
  CaseResult stored = small_result("add.a.f32");
  stored.attempts.front().replayed = true;
  history.put_result(new_run(""), stored);
  BOOST_TEST(history.series("add.a.f32").at(0).replayed);
  history.put_result(new_run(""), small_result("add.a.f32"));
  BOOST_TEST(!history.series("add.a.f32").at(0).replayed);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::store::test
