#include <boost/test/unit_test.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/exit_code.hpp"
#include "core/verdict.hpp"

using namespace opgate;
using namespace opgate::core;

BOOST_AUTO_TEST_SUITE(exit_code)

namespace {
int worst_of(std::vector<ExitCode> codes) {
  return static_cast<int>(worst(codes));
}
int code(ErrorKind kind) {
  return static_cast<int>(exit_code_of(kind));
}
int code(Verdict verdict, bool required, bool warning) {
  return static_cast<int>(exit_code_of(verdict, required, warning));
}
}  // namespace

BOOST_AUTO_TEST_CASE(every_error_has_its_code) {
  BOOST_TEST(code(ErrorKind::usage) == 64);
  BOOST_TEST(code(ErrorKind::wrong_result) == 5);
  for (const ErrorKind kind : {ErrorKind::spec, ErrorKind::baseline, ErrorKind::history, ErrorKind::trace,
                               ErrorKind::io, ErrorKind::device, ErrorKind::cuda, ErrorKind::cupti, ErrorKind::op}) {
    BOOST_TEST(code(kind) == 3);
  }
  for (const ErrorKind kind :
       {ErrorKind::records_lost, ErrorKind::off_thread_launch, ErrorKind::attribution, ErrorKind::timestamps_lost,
        ErrorKind::unproven, ErrorKind::unmeasured_copies, ErrorKind::impossible}) {
    BOOST_TEST(code(kind) == 2);
  }
}

BOOST_AUTO_TEST_CASE(the_worst_code_follows_the_contracts_order) {
  const std::vector<int> order{3, 2, 5, 1, 6, 4, 0};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i; j < order.size(); ++j) {
      const auto a = static_cast<ExitCode>(order[i]);
      const auto b = static_cast<ExitCode>(order[j]);
      BOOST_TEST(worst_of({a, b}) == order[i]);
      BOOST_TEST(worst_of({b, a}) == order[i]);
    }
  }
}

BOOST_AUTO_TEST_CASE(skipped_counts_as_pass_and_usage_as_cannot_run) {
  BOOST_TEST(worst_of({ExitCode::skipped, ExitCode::pass}) == 0);
  BOOST_TEST(worst_of({ExitCode::skipped}) == 0);
  BOOST_TEST(worst_of({ExitCode::skipped, ExitCode::no_baseline}) == 4);
  BOOST_TEST(worst_of({ExitCode::usage, ExitCode::untrusted}) == 3);
  BOOST_TEST(worst_of({}) == 0);
}

BOOST_AUTO_TEST_CASE(verdicts_become_codes) {
  BOOST_TEST(code(Verdict::pass, true, false) == 0);
  BOOST_TEST(code(Verdict::improved, true, false) == 0);
  BOOST_TEST(code(Verdict::regressed, false, true) == 1);
  BOOST_TEST(code(Verdict::inconclusive, false, false) == 6);
  BOOST_TEST(code(Verdict::inconclusive, false, true) == 0);
  BOOST_TEST(code(Verdict::no_baseline, false, false) == 0);
  BOOST_TEST(code(Verdict::no_baseline, true, false) == 4);
  BOOST_TEST(code(Verdict::not_comparable, false, false) == 0);
  BOOST_TEST(code(Verdict::not_comparable, true, false) == 4);
}

BOOST_AUTO_TEST_CASE(the_table_lists_every_code_once_with_a_meaning) {
  std::set<int> codes;
  std::set<std::string> meanings;
  for (const ExitCode entry : exit_code_table()) {
    codes.insert(static_cast<int>(entry));
    meanings.insert(meaning(entry));
  }
  BOOST_TEST(codes == (std::set<int>{0, 1, 2, 3, 4, 5, 6, 64, 77}), boost::test_tools::per_element());
  BOOST_TEST(meanings.size() == codes.size());
  BOOST_TEST(meanings.count("unknown") == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
