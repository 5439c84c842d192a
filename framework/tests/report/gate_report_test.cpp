#include "report/gate_report.hpp"

#include <boost/test/unit_test.hpp>
#include <regex>

#include "report/markdown.hpp"
#include "report/samples.hpp"

namespace opgate::report::test {
namespace {

using core::ExitCode;

GateCase made(const std::string& name, GateEnd end, ExitCode code, const std::string& reason) {
  GateCase one;
  one.name = name;
  one.end = end;
  one.code = code;
  one.reason = reason;
  return one;
}

GateCase compared(GateCase one, const std::string& against, double before, double now, double limit) {
  one.against = against;
  one.before_ns = before;
  one.now_ns = now;
  one.change_pct = (now / before - 1) * 100;
  one.limit_pct = limit;
  return one;
}

GateReport red() {
  GateReport report;
  report.base = "0123abc Wider loads (merge base with origin/main)";
  report.candidate = "456789abcdef with uncommitted changes";
  report.device = "NVIDIA H200, GPU-1, driver 580.159.04, CUDA 13.0";
  report.label = "gate";
  report.code = ExitCode::cannot_run;
  report.changes = {{"tolerance", "gemm.square-4096.bf16", "1.0 % -> 50.0 %"},
                    {"case removed", "add.small.f32", "now add.tiny.f32"},
                    {"baseline", "nvidia-h200/gemm.json", "changes gemm.square-4096.bf16"}};
  report.notes = {"this change edits ci: what builds, measures and judges is its own there"};
  report.steps = {"plan: 0.1 s", "measure: 8.1 s", "settle: 6.0 s"};
  report.cases = {
      compared(made("gemm.square-4096.bf16", GateEnd::regressed, ExitCode::regression, "4 pairs say so"),
               "merge base, 4 pairs", 172'000, 189'200, 1),
      made("softmax.wide.f32", GateEnd::failed, ExitCode::cannot_run, "phase check: CUDA error 700"),
      made("add.small.f32", GateEnd::removed, ExitCode::cannot_run, "the candidate measures the same as add.tiny.f32"),
      compared(made("copy.mib-16.f32", GateEnd::settled, ExitCode::pass, "so was the merge base"),
               "merge base, 6 pairs", 8'320, 8'322, 1),
      made("add.tiny.f32", GateEnd::fresh, ExitCode::pass, "new: nothing to hold it against yet"),
      compared(made("add.large.f32", GateEnd::pass, ExitCode::pass, "within the limit"), "stored baseline", 1'700,
               1'701, 5.6),
      made("rmsnorm.decode.f16", GateEnd::identical, ExitCode::pass, "the same in both builds")};
  report.cases[4].now_ns = 1'650;
  report.cases[4].is_new = true;
  return report;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(gate_report)

BOOST_AUTO_TEST_CASE(every_message_reads_as_agreed) {
  check_golden("gate_red.txt", gate_text(red(), false));
  check_golden("gate_red.md", gate_markdown(red(), kSummaryBytes));
  GateReport green = red();
  green.code = ExitCode::pass;
  green.changes.clear();
  green.notes.clear();
  green.cases = {red().cases[5], red().cases[6]};
  check_golden("gate_green.txt", gate_text(green, false));
  check_golden("gate_green.md", gate_markdown(green, kSummaryBytes));
}

BOOST_AUTO_TEST_CASE(what_the_change_edits_of_its_own_gate_comes_before_every_case) {
  const std::string text = gate_markdown(red(), kSummaryBytes);
  BOOST_TEST(text.find("edits its own gate") < text.find("Needs a person"));
  BOOST_TEST(text.find("edits its own gate") < text.find("All cases"));
}

BOOST_AUTO_TEST_CASE(colour_is_only_around_verdicts_and_only_where_wanted) {
  BOOST_TEST(!has(gate_text(red(), false), "\x1b"));
  BOOST_TEST(has(gate_text(red(), true), "\x1b["));
}

BOOST_AUTO_TEST_CASE(text_from_outside_does_nothing_but_stand_there) {
  GateReport report = red();
  const std::string hostile = "</details><script>alert(1)</script> | `x` [a](http://b) @everyone\n# title \x1b[31m\xff";
  report.base = report.candidate = report.device = hostile;
  report.notes = {hostile};
  const std::string name = "a</details><script>|[a](http://b)@everyone\n# title";
  report.changes = {{hostile, name, hostile}};
  report.cases = {made(name, GateEnd::regressed, ExitCode::regression, hostile)};
  // Code is shown as it is; there only the end of the code and of the cell would mean something.
  const std::string text = std::regex_replace(gate_markdown(report, kSummaryBytes), std::regex("`[^`\n]*`"), "");
  for (const char* part : {"<script", "@everyone", "](http://", "\n# title", "\x1b"})
    BOOST_TEST(!has(text, part), part);
  BOOST_TEST(count(text, "</details>") == 1U);
  BOOST_TEST(!has(gate_text(report, false), "\x1b"));
}

BOOST_AUTO_TEST_CASE(a_comment_fits_and_says_what_it_left_out) {
  GateReport report = red();
  for (int i = 0; i < 5000; ++i) {
    report.cases.push_back(
        made("op.case-" + std::to_string(i) + ".f32", GateEnd::regressed, ExitCode::regression, std::string(200, 'x')));
    report.changes.push_back({"tolerance", "op.case-" + std::to_string(i) + ".f32", std::string(200, 'y')});
  }
  for (const std::size_t most : {kCommentBytes, kSummaryBytes}) {
    const std::string text = gate_markdown(report, most);
    BOOST_TEST(text.size() <= most);
    BOOST_TEST(text.size() > most / 2);
    BOOST_TEST(has(text, "do not fit here"));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::report::test
