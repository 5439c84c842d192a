#include <boost/test/unit_test.hpp>

#include "report/samples.hpp"

namespace opgate::report::test {
namespace {

using core::ExitCode;
using core::Status;
using core::Verdict;

store::RunInfo run_of(const std::vector<std::string>& selected) {
  store::RunInfo run;
  run.id = 12;
  run.label = "ctest -L nightly";
  run.selected = selected;
  return run;
}

store::CaseResult passed(const std::string& name) {
  return named(judged_case(Verdict::pass, ExitCode::pass, 0.1), name);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string last_line(const std::string& text) {
  return text.substr(text.rfind('\n', text.size() - 2) + 1);
}

std::vector<store::CaseResult> one_of_each() {
  store::CaseResult open = named(ended_case(Status::running, ErrorKind::op, ExitCode::pass, "", ""), "j.never");
  open.exit_code.reset();
  open.attempts[0].error.reset();
  return {named(ended_case(Status::failed, ErrorKind::cuda, ExitCode::cannot_run, "set-up", "no"), "i.failed"),
          passed("a.pass"),
          named(judged_case(Verdict::regressed, ExitCode::regression, 10.3), "b.regressed"),
          named(judged_case(Verdict::improved, ExitCode::pass, -10), "c.improved"),
          named(judged_case(Verdict::inconclusive, ExitCode::inconclusive, 1.4), "d.inconclusive"),
          named(judged_case(Verdict::no_baseline, ExitCode::pass, 0), "e.new"),
          named(judged_case(Verdict::not_comparable, ExitCode::no_baseline, 0), "f.changed"),
          named(ended_case(Status::wrong, ErrorKind::wrong_result, ExitCode::wrong_result, "check", "no"), "g.wrong"),
          named(ended_case(Status::untrusted, ErrorKind::records_lost, ExitCode::untrusted, "measure",
                           "lost 3 records\n  fix: measure fewer"),
                "h.lost"),
          open,
          named(ended_case(Status::skipped, ErrorKind::device, ExitCode::skipped, "machine", "no"), "k.skipped")};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(run_summary)

BOOST_AUTO_TEST_CASE(a_green_run_is_one_line) {
  check_golden("run_green.txt", report::run_summary(run_of({"a", "b"}), {passed("a"), passed("b")}));
}

BOOST_AUTO_TEST_CASE(a_selection_by_hundreds_of_names_is_not_told_whole) {
  store::RunInfo run = run_of({"a"});
  run.label = "ctest -L nightly -R " + std::string(4000, 'a');
  const std::string line = report::run_summary(run, {passed("a")});
  BOOST_TEST(has(line, "(ctest -L nightly -R aaa"));
  BOOST_TEST(has(line, "aaa...)"));
  BOOST_TEST(line.size() < 300U);
}

BOOST_AUTO_TEST_CASE(names_what_needs_a_person_and_counts_everything) {
  auto results = one_of_each();
  results.push_back(passed("l.twice"));
  results.back().times_recorded = 2;
  results.push_back(passed("unasked"));
  std::vector<std::string> selected{"m.missing"};
  for (const store::CaseResult& result : results) {
    if (result.identity.name != "unasked") {
      selected.push_back(result.identity.name);
    }
  }
  check_golden("run_everything.txt", report::run_summary(run_of(selected), results));
}

BOOST_AUTO_TEST_CASE(a_replay_says_not_measured_with_its_count_in_the_last_line) {
  store::RunInfo run = run_of({"a", "b", "c"});
  run.replayed = true;
  const std::string text = report::run_summary(
      run, {passed("a"), passed("b"), named(judged_case(Verdict::regressed, ExitCode::regression, 10.3), "c")});
  check_golden("run_replayed.txt", text);
  BOOST_TEST(has(last_line(text), "3 replayed"));
  const auto untraced =
      named(ended_case(Status::skipped, ErrorKind::device, ExitCode::skipped, "machine", "no trace"), "b");
  BOOST_TEST(has(last_line(report::run_summary(run, {passed("a"), untraced})), "1 replayed"));
  BOOST_TEST(has(last_line(text), "NOT MEASURED"));
  store::CaseResult replayed = passed("a");
  replayed.attempts[0].replayed = true;
  BOOST_TEST(has(last_line(report::run_summary(run_of({}), {replayed, passed("b")})), "1 replayed"));
}

BOOST_AUTO_TEST_CASE(an_unknown_selection_counts_what_was_recorded) {
  const std::string text = report::run_summary(run_of({}), {passed("a")});
  BOOST_TEST(has(text, "1 of 1 case measured: 1 pass"), text);
  BOOST_TEST(has(report::run_summary(run_of({}), {}), "0 of 0 cases measured"));
}

BOOST_AUTO_TEST_CASE(a_required_baseline_that_is_missing_is_named) {
  const auto result = named(judged_case(Verdict::no_baseline, ExitCode::no_baseline, 0), "a");
  BOOST_TEST(has(report::run_summary(run_of({"a"}), {result}), "NO BASELINE     a"));
}

BOOST_AUTO_TEST_CASE(the_exit_code_is_the_worst_in_the_documented_order) {
  auto results = one_of_each();
  const auto code = [&] { return report::run_exit_code(run_of({}), results); };
  const auto drop = [&](const std::string& name) {
    std::erase_if(results, [&](const auto& r) { return r.identity.name == name; });
  };
  BOOST_TEST((code() == ExitCode::cannot_run));
  drop("i.failed");
  BOOST_TEST((code() == ExitCode::cannot_run));  // opened and never closed
  drop("j.never");
  BOOST_TEST((code() == ExitCode::untrusted));
  drop("h.lost");
  BOOST_TEST((code() == ExitCode::wrong_result));
  drop("g.wrong");
  BOOST_TEST((code() == ExitCode::regression));
  drop("b.regressed");
  BOOST_TEST((code() == ExitCode::inconclusive));
  drop("d.inconclusive");
  BOOST_TEST((code() == ExitCode::no_baseline));
  drop("f.changed");
  BOOST_TEST((code() == ExitCode::pass));
}

BOOST_AUTO_TEST_CASE(a_selected_case_without_a_record_is_exit_3) {
  BOOST_TEST((report::run_exit_code(run_of({"a", "b"}), {passed("a")}) == ExitCode::cannot_run));
  BOOST_TEST((report::run_exit_code(run_of({"a"}), {passed("a")}) == ExitCode::pass));
}

BOOST_AUTO_TEST_CASE(a_case_recorded_twice_is_exit_3) {
  auto twice = passed("a");
  twice.times_recorded = 2;
  BOOST_TEST((report::run_exit_code(run_of({"a"}), {twice}) == ExitCode::cannot_run));
  BOOST_TEST((report::run_exit_code(run_of({"a"}), {passed("a"), passed("a")}) == ExitCode::cannot_run));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::report::test
