#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "report/report_samples.hpp"
#include "report/samples.hpp"

namespace opgate::report::test {
namespace {

const ReportCase& case_of(const Report& report, const std::string& name) {
  const auto found =
      std::find_if(report.cases.begin(), report.cases.end(), [&](const ReportCase& one) { return one.name == name; });
  BOOST_REQUIRE_MESSAGE(found != report.cases.end(), name);
  return *found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(report)

BOOST_AUTO_TEST_CASE(counts_every_case_once) {
  const ReportCounts& counts = everything_report().counts;
  BOOST_TEST(counts.expected == 17U);
  BOOST_TEST(counts.selection_known);
  BOOST_TEST(counts.of(Outcome::regressed) == 2U);
  BOOST_TEST(counts.of(Outcome::improved) == 1U);
  BOOST_TEST(counts.of(Outcome::inconclusive) == 1U);
  BOOST_TEST(counts.of(Outcome::no_baseline) == 1U);
  BOOST_TEST(counts.of(Outcome::skipped) == 1U);
  BOOST_TEST(counts.of(Outcome::waived) == 1U);
  BOOST_TEST(counts.not_run == 1U);
  BOOST_TEST(counts.repeated == 1U);
  BOOST_TEST(counts.replayed == 1U);
  BOOST_TEST(counts.imported == 1U);
  std::size_t sum = counts.not_run;
  for (const auto& [outcome, count] : counts.by_outcome) sum += count;
  BOOST_TEST(sum == counts.expected);
}

BOOST_AUTO_TEST_CASE(what_needs_a_person_comes_first_and_the_slowest_of_it_first) {
  const Report report = everything_report();
  BOOST_TEST(report.cases[0].name == "z.regressed-more");
  BOOST_TEST(report.cases[1].name == "b.regressed");
  BOOST_TEST(report.cases[2].name == "n.missing");
  bool calm = false;
  for (const ReportCase& one : report.cases) {
    BOOST_TEST(!(calm && one.wants_attention), one.name);
    calm = calm || !one.wants_attention;
  }
  BOOST_TEST(!case_of(report, "a.pass").wants_attention);
  BOOST_TEST(!case_of(report, "k.skipped").wants_attention);
  BOOST_TEST(!case_of(report, "p.imported").wants_attention);
  BOOST_TEST(case_of(report, "l.twice").wants_attention);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_trusted_has_no_figures) {
  const Report report = everything_report();
  for (const char* name : {"g.wrong", "h.lost", "i.failed", "j.never", "k.skipped", "n.missing"}) {
    BOOST_TEST(!case_of(report, name).figures.has_value(), name);
  }
  BOOST_TEST(case_of(report, "a.pass").figures.has_value());
  BOOST_TEST(case_of(report, "o.replayed").remarks.at(0) == "replayed, NOT MEASURED");
  BOOST_TEST(case_of(report, "p.imported").remarks.at(0) == "imported");
  BOOST_TEST((case_of(report, "o.replayed").source == Source::replayed));
}

BOOST_AUTO_TEST_CASE(a_reading_that_ended_red_is_no_point_of_the_trend) {
  auto rows = nights_of("b.regressed", 12);
  rows[3].exit_code = core::ExitCode::wrong_result;
  const Report report = make_report(everything_run(), everything_results(), {{"b.regressed", rows}});
  const CaseHistory& trend = case_of(report, "b.regressed").trend;
  BOOST_TEST(trend.rows.size() == 24U);
  BOOST_TEST(trend.series.at(0).rows.size() == 23U);
  BOOST_TEST(trend.places[3].empty());
  BOOST_TEST(trend.series[0].changes.size() == 1U);
}

BOOST_AUTO_TEST_CASE(the_exit_code_is_the_runs) {
  BOOST_TEST((everything_report().exit_code == core::ExitCode::cannot_run));
  store::RunInfo run = everything_run();
  run.selected = {"b.regressed"};
  const auto regressed = named(judged_case(core::Verdict::regressed, core::ExitCode::regression, 10), "b.regressed");
  BOOST_TEST((make_report(run, {regressed}, {}).exit_code == core::ExitCode::regression));
  run.closed_unix_ms.reset();
  const Report open = make_report(run, {regressed}, {});
  BOOST_TEST((open.exit_code == core::ExitCode::cannot_run));
  BOOST_TEST(open.warnings.at(0).find("never closed") != std::string::npos);
  run.origin = "import";
  BOOST_TEST((make_report(run, {regressed}, {}).exit_code == core::ExitCode::regression));
}

BOOST_AUTO_TEST_CASE(a_limit_is_above_its_baseline) {
  BOOST_TEST(*limit_ns(100.0, 1.0) == 101.0);
  BOOST_TEST(!limit_ns(std::nullopt, 1.0).has_value());
  BOOST_TEST(!limit_ns(100.0, std::nullopt).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::report::test
