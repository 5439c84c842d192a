#include "run/selection.hpp"

#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "opgate/error.hpp"

using namespace opgate;

namespace {

std::vector<std::string> options_of(const std::vector<std::string>& command_line) {
  std::vector<std::string> options;
  BOOST_REQUIRE(run::selecting_options(command_line, options));
  return options;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(selection)

BOOST_AUTO_TEST_CASE(only_options_that_select_are_kept) {
  const std::vector<std::string> kept{"-L", "nightly", "-E", "slow", "--preset=nightly", "--rerun-failed"};
  BOOST_TEST(
      options_of({"ctest", "-L", "nightly", "-j", "4", "--output-junit", "out.xml", "-E", "slow", "--preset=nightly",
                  "--repeat", "until-pass:2", "--rerun-failed", "-V", "--output-on-failure"}) == kept,
      boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_option_without_its_value_is_left_to_ctest) {
  BOOST_TEST(options_of({"ctest", "-R"}).empty());
}

BOOST_AUTO_TEST_CASE(a_dashboard_script_cannot_be_asked_again) {
  std::vector<std::string> options;
  BOOST_TEST(!run::selecting_options({"ctest", "-S", "nightly.cmake"}, options));
  BOOST_TEST(!run::selecting_options({"ctest", "--build-and-test", "a", "b"}, options));
}

BOOST_AUTO_TEST_CASE(a_test_folder_of_its_own_is_asked) {
  run::Project project;
  project.build_dir = "/p/build";
  const auto folder = [&](const std::vector<std::string>& words) { return run::test_folder(words, project); };
  BOOST_TEST(folder({"ctest", "-L", "nightly"}) == "/p/build");
  BOOST_TEST(folder({"ctest", "--test-dir", "/tmp/shard", "-L", "nightly"}) == "/tmp/shard");
  BOOST_TEST(folder({"ctest", "--test-dir=/tmp/shard"}) == "/tmp/shard");
  BOOST_TEST(folder({"ctest", "--test-dir", "build"}) == "/p/build");
  BOOST_TEST(folder({"ctest", "--test-dir"}) == "/p/build");
}

BOOST_AUTO_TEST_CASE(cases_are_the_tests_that_need_the_run) {
  const std::string json = R"({"tests":[
    {"name":"unit.core.intervals","properties":[{"name":"LABELS","value":["unit"]}]},
    {"name":"opgate.machine","properties":[{"name":"FIXTURES_SETUP","value":["opgate_run"]}]},
    {"name":"gemm.a.bf16","properties":[{"name":"FIXTURES_REQUIRED","value":["opgate_run"]},{"name":"TIMEOUT","value":60.0}]},
    {"name":"gemm.b.bf16","properties":[{"name":"FIXTURES_REQUIRED","value":["other","opgate_run"]}]},
    {"name":"bare"}]})";
  const std::vector<std::string> cases{"gemm.a.bf16", "gemm.b.bf16"};
  BOOST_TEST(run::cases_of(json) == cases, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(other_text_is_an_error) {
  BOOST_CHECK_THROW((void)run::cases_of("No tests were found"), Error);
  BOOST_CHECK_THROW((void)run::cases_of("{}"), Error);
}

BOOST_AUTO_TEST_CASE(this_process_is_no_ctest) {
  const run::Selection selection = run::ask_ctest(::getpid(), {});
  BOOST_TEST(!selection.known);
  BOOST_TEST(!selection.command.empty());
}

BOOST_AUTO_TEST_SUITE_END()
