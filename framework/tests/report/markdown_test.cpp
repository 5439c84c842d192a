#include <boost/test/unit_test.hpp>

#include "report/markdown.hpp"
#include "report/markdown_text.hpp"
#include "report/report_samples.hpp"
#include "report/samples.hpp"
#include "text/json_write.hpp"

namespace opgate::report::test {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Report many(int cases, core::Verdict verdict, core::ExitCode code) {
  store::RunInfo run = everything_run();
  run.selected.clear();
  std::vector<store::CaseResult> results;
  for (int i = 0; i < cases; ++i) {
    results.push_back(named(judged_case(verdict, code, 10.3), "gemm.shape-" + std::to_string(i) + ".bf16"));
  }
  return make_report(run, results, {});
}

std::size_t rows_of(const std::string& text) {
  std::size_t rows = 0;
  for (std::size_t at = 0; (at = text.find("`gemm.shape-", at)) != std::string::npos; ++at) ++rows;
  return rows;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(markdown)

BOOST_AUTO_TEST_CASE(a_run_of_everything) {
  check_golden("report_everything.md", report::markdown(everything_report()));
}

BOOST_AUTO_TEST_CASE(a_green_run_asks_nothing) {
  const std::string text = report::markdown(many(3, core::Verdict::pass, core::ExitCode::pass));
  check_golden("report_green.md", text);
  BOOST_TEST(!has(text, "for a person"));
}

BOOST_AUTO_TEST_CASE(hostile_texts_stay_texts) {
  const std::string text = report::markdown(hostile_report());
  check_golden("report_hostile.md", text);
  BOOST_TEST(text::is_utf8(text));
  BOOST_TEST(!has(text, "\x1b"));
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::string line = text.substr(begin, end - begin);
    // Of a row, only the nine cells' own bars are unescaped.
    if (line.starts_with("| **regressed**")) {
      std::size_t bars = 0;
      for (std::size_t i = 0; i < line.size(); ++i) bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1 : 0;
      BOOST_TEST(bars == 10U, line);
    }
    begin = end + 1;
  }
}

BOOST_AUTO_TEST_CASE(escapes) {
  BOOST_TEST(markdown_text("plain 1.5 (x) - y") == "plain 1.5 (x) - y");
  BOOST_TEST(markdown_text("<b>") == "&#60;b&#62;");
  BOOST_TEST(markdown_text("see http://x or www.y") == "see http&#58;//x or &#119;ww.y");
  BOOST_TEST(markdown_text("@all #1\nx") == "&#64;all &#35;1 x");
  BOOST_TEST(markdown_text("\xe2\x80\xae"
                           "a\xc0\xaf") ==
             "\xef\xbf\xbd"
             "a\xef\xbf\xbd\xef\xbf\xbd");
  BOOST_TEST(markdown_code("a_b") == "`a_b`");
  BOOST_TEST(markdown_code("a``b|c") == "``` a``b\\|c ```");
  BOOST_TEST(markdown_code("a\\|b") == "a&#92;&#124;b");
}

BOOST_AUTO_TEST_CASE(never_longer_than_the_limit_and_says_what_it_left_out) {
  const Report report = many(5000, core::Verdict::regressed, core::ExitCode::regression);
  for (const std::size_t limit : {kSummaryBytes, kCommentBytes, std::size_t{8192}}) {
    const std::string text = report::markdown(report, limit);
    BOOST_TEST(text.size() <= limit);
    BOOST_TEST(text.size() > limit / 2);
    BOOST_TEST(has(text, "**5000**"));
    BOOST_TEST(has(text, "rows left out") == false);
    BOOST_TEST(has(text, " more left out, because"));
  }
  const std::string small = report::markdown(many(20, core::Verdict::regressed, core::ExitCode::regression));
  BOOST_TEST(rows_of(small) == 40U);
  BOOST_TEST(!has(small, "left out"));
}

BOOST_AUTO_TEST_CASE(rows_for_a_person_stand_before_the_folded_table) {
  const Report report = many(400, core::Verdict::regressed, core::ExitCode::regression);
  const std::string text = report::markdown(report, kCommentBytes);
  BOOST_TEST(text.size() <= kCommentBytes);
  BOOST_TEST(text.find("<details>") > text.find("### 400 rows for a person"));
}

BOOST_AUTO_TEST_CASE(a_text_is_cut_between_characters) {
  BOOST_TEST(opgate::report::shortened("abc", 3) == "abc");
  BOOST_TEST(opgate::report::shortened("abcd", 3) == "abc ...");
  BOOST_TEST(opgate::report::shortened("ab\xc3\xa9"
                                       "d",
                                       3) == "ab ...");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::report::test
