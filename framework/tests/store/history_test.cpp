#include "store/history.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

#include "store/fixtures.hpp"

namespace opgate::store::test {
namespace {

struct Fixture {
  TemporaryFolder folder;
  std::filesystem::path path = folder / "history.sqlite";
  History history = History::open_for_writing(path);
};

CaseResult opened(const std::string& name) {
  CaseResult result;
  result.identity.name = name;
  result.attempts.resize(1);
  result.attempts.front().started_unix_ms = 5;
  return result;
}

core::Attempt measured_attempt(int number, std::int64_t busy_ns) {
  core::Attempt attempt = small_result("x", busy_ns).attempts.front();
  attempt.number = number;
  return attempt;
}

auto mentions(const std::string& word) {
  return [word](const Error& error) {
    const std::string text = error.what();
    return error.kind() == ErrorKind::history && text.find(word) != std::string::npos &&
           text.find("history.sqlite") != std::string::npos && !error.remedy().empty();
  };
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(history, Fixture)

BOOST_AUTO_TEST_CASE(keeps_every_field_of_a_result) {
  const auto run_id = history.open_run(some_run());
  CaseResult stored = full_result();
  const auto id = history.put_result(run_id, stored);
  const auto back = History::open_for_reading(path).results({});
  BOOST_REQUIRE_EQUAL(back.size(), 1U);
  BOOST_TEST(back[0].id == id);
  BOOST_TEST(back[0].run_id == run_id);
  BOOST_TEST(text_of(back[0]) == text_of(stored));
}

BOOST_AUTO_TEST_CASE(keeps_an_empty_result_empty) {
  CaseResult stored;
  stored.identity.name = "imported name with spaces / and \"quotes\"";
  stored.attempts.resize(1);
  history.put_result(history.open_run(some_run()), stored);
  BOOST_TEST(text_of(history.results({}).at(0)) == text_of(stored));
}

BOOST_AUTO_TEST_CASE(keeps_every_error_kind_and_status) {
  CaseResult stored = opened("a");
  stored.attempts.clear();
  for (int i = 0; i <= static_cast<int>(ErrorKind::impossible); ++i) {
    core::Attempt attempt;
    attempt.number = i + 1;
    attempt.error = static_cast<ErrorKind>(i);
    attempt.status = static_cast<core::Status>(i % 6);
    stored.attempts.push_back(attempt);
  }
  history.put_result(history.open_run(some_run()), stored);
  BOOST_TEST(text_of(history.results({}).at(0)) == text_of(stored));
}

BOOST_AUTO_TEST_CASE(keeps_every_verdict_and_exit_code) {
  const auto run_id = history.open_run(some_run());
  for (int i = 0; i <= static_cast<int>(core::Verdict::not_comparable); ++i) {
    CaseResult stored = opened("case " + std::to_string(i));
    stored.judgement = core::Judgement{};
    stored.judgement->verdict = static_cast<core::Verdict>(i);
    stored.exit_code = static_cast<core::ExitCode>(i);
    history.put_result(run_id, stored);
    const auto back = history.results({.case_name = stored.identity.name});
    BOOST_TEST(text_of(back.at(0)) == text_of(stored));
  }
}

BOOST_AUTO_TEST_CASE(keeps_every_field_of_a_run) {
  RunInfo stored = some_run();
  const auto id = history.open_run(stored);
  stored.closed_unix_ms = 1'760'000'099'000;
  history.close_run(id, *stored.closed_unix_ms);
  history.select(id, {"third", "add.a.f32"});
  stored.selected.emplace_back("third");
  BOOST_TEST(text_of(history.run(id).value()) == text_of(stored));
  BOOST_TEST(text_of(history.run_by_uuid(stored.uuid).value()) == text_of(stored));
  BOOST_TEST(history.runs().at(0).id == id);
}

BOOST_AUTO_TEST_CASE(makes_a_uuid_and_lists_runs_newest_first) {
  const auto first = history.open_run(some_run(""));
  const auto second = history.open_run(some_run(""));
  const auto runs = history.runs();
  BOOST_REQUIRE_EQUAL(runs.size(), 2U);
  BOOST_TEST(runs[0].id == second);
  BOOST_TEST(runs[1].id == first);
  BOOST_TEST(runs[0].uuid.size() == 36U);
  BOOST_TEST(runs[0].uuid != runs[1].uuid);
  BOOST_TEST(history.runs(1).size() == 1U);
}

BOOST_AUTO_TEST_CASE(keeps_a_free_run_number_and_renumbers_a_taken_one) {
  RunInfo run = some_run("");
  run.id = 42;
  BOOST_TEST(history.open_run(run) == 42);
  BOOST_TEST(history.open_run(run) == 43);
}

// SQLite would have no number left for the next run, and say that the disk is full.
BOOST_AUTO_TEST_CASE(a_run_number_near_the_largest_integer_leaves_room_for_the_next_run) {
  RunInfo run = some_run("");
  run.id = kHighestKeptRun;
  BOOST_TEST(history.open_run(run) == kHighestKeptRun);
  run.id = std::numeric_limits<std::int64_t>::max();
  BOOST_TEST(history.open_run(run) == kHighestKeptRun + 1);
  BOOST_TEST(history.open_run(some_run("")) == kHighestKeptRun + 2);
}

BOOST_AUTO_TEST_CASE(refuses_a_uuid_twice) {
  static_cast<void>(history.open_run(some_run()));
  BOOST_CHECK_EXCEPTION(history.open_run(some_run()), Error, mentions("already there"));
  BOOST_TEST(history.runs().size() == 1U);
}

BOOST_AUTO_TEST_CASE(unknown_runs_and_results_are_errors) {
  BOOST_CHECK_EXCEPTION(history.select(7, {"a"}), Error, mentions("no run 7"));
  BOOST_CHECK_EXCEPTION(history.close_run(7, 1), Error, mentions("no run 7"));
  BOOST_CHECK_EXCEPTION(history.begin_case(7, opened("a")), Error, mentions("no run 7"));
  BOOST_CHECK_EXCEPTION(history.put_result(7, opened("a")), Error, mentions("no run 7"));
  BOOST_CHECK_EXCEPTION(history.put_attempt(7, {}), Error, mentions("no result 7"));
  BOOST_CHECK_EXCEPTION(history.finish_case(7, std::nullopt, core::ExitCode::pass), Error, mentions("no result 7"));
  BOOST_TEST(!history.run(7).has_value());
  BOOST_TEST(!history.run_by_uuid("nobody").has_value());
}

BOOST_AUTO_TEST_CASE(an_opened_case_is_seen_as_running) {
  history.begin_case(history.open_run(some_run()), opened("a"));
  const CaseResult row = History::open_for_reading(path).results({}).at(0);
  BOOST_TEST(!row.exit_code.has_value());
  BOOST_TEST(!row.judgement.has_value());
  BOOST_TEST((row.attempts.at(0).status == core::Status::running));
  BOOST_TEST(row.attempts.at(0).started_unix_ms == 5);
}

BOOST_AUTO_TEST_CASE(putting_an_attempt_again_replaces_it_with_its_samples) {
  const auto id = history.begin_case(history.open_run(some_run()), opened("a"));
  history.put_attempt(id, measured_attempt(1, 1000));
  history.put_attempt(id, measured_attempt(1, 3000));
  history.put_attempt(id, measured_attempt(2, 5000));
  const CaseResult row = history.results({}).at(0);
  BOOST_REQUIRE_EQUAL(row.attempts.size(), 2U);
  BOOST_TEST(row.attempts[0].implementations.at(0).measurement.samples.at(0).busy_ns == 3000);
  BOOST_TEST(row.attempts[1].implementations.at(0).measurement.samples.at(0).busy_ns == 5000);
}

BOOST_AUTO_TEST_CASE(a_second_recording_is_counted_and_loses_nothing) {
  const auto run_id = history.open_run(some_run());
  const auto id = history.begin_case(run_id, opened("a"));
  history.put_attempt(id, measured_attempt(1, 1000));
  core::Judgement judgement;
  judgement.reason = "of the first";
  history.finish_case(id, judgement, core::ExitCode::regression);

  History other = History::open_for_writing(path);
  BOOST_TEST(other.begin_case(run_id, opened("a")) == id);
  CaseResult row = history.results({}).at(0);
  BOOST_TEST(row.times_recorded == 2);
  BOOST_TEST(!row.exit_code.has_value());
  BOOST_TEST(!row.judgement.has_value());

  other.put_attempt(id, measured_attempt(1, 2000));
  core::Attempt confirmation = measured_attempt(2, 4000);
  confirmation.purpose = "confirm";
  other.put_attempt(id, confirmation);
  other.finish_case(id, std::nullopt, core::ExitCode::pass);
  row = history.results({}).at(0);
  BOOST_REQUIRE_EQUAL(row.attempts.size(), 3U);
  BOOST_TEST(row.attempts[0].purpose == "first");
  BOOST_TEST(row.attempts[0].implementations.at(0).measurement.samples.at(0).busy_ns == 1000);
  BOOST_TEST(row.attempts[1].number == 2);
  BOOST_TEST(row.attempts[1].purpose == "repeat");
  BOOST_TEST(row.attempts[1].implementations.at(0).measurement.samples.at(0).busy_ns == 2000);
  BOOST_TEST(row.attempts[2].number == 3);
  BOOST_TEST(row.attempts[2].purpose == "confirm");
}

BOOST_AUTO_TEST_CASE(a_second_recording_under_other_dimensions_is_refused) {
  const auto run_id = history.open_run(some_run());
  history.begin_case(run_id, opened("a"));
  CaseResult changed = opened("a");
  changed.identity.dimensions = {{"rows", 2}};
  BOOST_CHECK_EXCEPTION(history.begin_case(run_id, changed), Error, mentions("other dimensions"));
  BOOST_TEST(history.results({}).at(0).times_recorded == 1);
}

BOOST_AUTO_TEST_CASE(pages_are_newest_first_and_exact) {
  const auto run_1 = history.open_run(some_run(""));
  const auto run_2 = history.open_run(some_run(""));
  history.put_results(run_1, {small_result("a"), small_result("ab")});
  history.put_results(run_2, {small_result("a"), small_result("b")});
  BOOST_TEST(history.results({}).size() == 4U);
  const auto of_case = history.results({.case_name = "a"});
  BOOST_REQUIRE_EQUAL(of_case.size(), 2U);
  BOOST_TEST(of_case[0].run_id == run_2);
  BOOST_TEST(of_case[1].run_id == run_1);
  BOOST_TEST(history.results({.case_name = "a", .limit = 1}).at(0).run_id == run_2);
  BOOST_TEST(history.results({.run_id = run_1}).size() == 2U);
  BOOST_TEST(history.results({.run_id = run_1, .case_name = "ab"}).at(0).identity.name == "ab");
  BOOST_TEST(history.results({.run_id = run_2, .case_name = "ab"}).empty());
  BOOST_TEST(history.results({.case_name = "%"}).empty());
}

BOOST_AUTO_TEST_CASE(samples_can_be_left_out) {
  history.put_result(history.open_run(some_run()), full_result());
  const auto attempt = history.results({.with_samples = false}).at(0).attempts.at(0);
  BOOST_TEST(attempt.implementations.at(0).measurement.samples.empty());
  BOOST_TEST(attempt.implementations.at(0).measurement.pass_medians_ns.size() == 2U);
}

BOOST_AUTO_TEST_CASE(many_results_are_stored_all_or_none) {
  const auto run_id = history.open_run(some_run());
  BOOST_CHECK_EXCEPTION(history.put_results(run_id, {small_result("a"), small_result("b"), small_result("a")}), Error,
                        mentions("already holds a"));
  BOOST_TEST(history.results({}).empty());
  BOOST_TEST(history.case_names().empty());
}

BOOST_AUTO_TEST_CASE(case_names_are_those_with_results) {
  const auto run_id = history.open_run(some_run());
  history.put_results(run_id, {small_result("b"), small_result("a")});
  BOOST_TEST(history.case_names() == (std::vector<std::string>{"a", "b"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::store::test
