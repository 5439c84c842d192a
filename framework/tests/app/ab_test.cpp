#include <boost/test/unit_test.hpp>
#include <chrono>
#include <fstream>

#include "app/two_builds.hpp"

using namespace opgate::tests;
using nlohmann::json;

namespace {

const json kQuiet{{"busy_ns", 100'000}};
const json kSlow{{"busy_ns", 103'000}};

json only_line(const Said& said) {
  const auto lines = said.lines();
  BOOST_REQUIRE_EQUAL(lines.size(), 1U);
  return lines.front();
}

bool says(const json& line, const std::string& words) {
  return line.at("reason").get<std::string>().find(words) != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(ab, TwoBuilds)

BOOST_AUTO_TEST_CASE(equal_times_are_unchanged_and_measured_in_the_order_a_b_b_a) {
  plan("same", kQuiet, kQuiet);
  build();
  const Said said = ab({"--json"});
  BOOST_TEST(said.code == 0, said.err);
  const json line = only_line(said);
  BOOST_TEST(line.at("case") == "fake.same.f32");
  BOOST_TEST(line.at("outcome") == "unchanged");
  BOOST_TEST(line.at("measured") == true);
  BOOST_TEST(line.at("pairs") == 4);
  BOOST_TEST(line.at("excluded_pct").get<double>() < 1);
  std::ifstream file(at("order.log"));
  std::string order;
  for (std::string tree; std::getline(file, tree);) order += tree.front();
  BOOST_TEST(order == "bccbbccb");
}

BOOST_AUTO_TEST_CASE(a_slower_candidate_is_a_regression_and_a_faster_one_is_not) {
  plan("slow", kQuiet, kSlow);
  plan("swift", kSlow, kQuiet);
  build();
  const Said said = ab({"--json"});
  BOOST_TEST(said.code == 1);
  const auto lines = said.lines();
  BOOST_REQUIRE_EQUAL(lines.size(), 2U);
  BOOST_TEST(lines[0].at("outcome") == "slower");
  BOOST_TEST(lines[0].at("exit_code") == 1);
  BOOST_TEST(lines[0].at("change_pct").get<double>() == 3, boost::test_tools::tolerance(0.1));
  BOOST_TEST(lines[1].at("outcome") == "faster");
  BOOST_TEST(lines[1].at("exit_code") == 0);
  BOOST_TEST(ab({"--filter", "swift"}).code == 0);
}

BOOST_AUTO_TEST_CASE(noise_is_undecided_at_the_bound) {
  plan("noisy", {{"busy_ns", 100'000}, {"noise", 0.1}}, {{"busy_ns", 100'000}, {"noise", 0.1}});
  build();
  const Said said = ab({"--json", "--max-pairs", "6"});
  BOOST_TEST(said.code == 6);
  BOOST_TEST(only_line(said).at("outcome") == "undecided");
  BOOST_TEST(only_line(said).at("pairs") == 6);
  BOOST_TEST(started("base").size() == 6U);
  const opgate::test::Variable warn("OPGATE_INCONCLUSIVE", "warn");
  BOOST_TEST(ab({"--max-pairs", "6"}).code == 0);
}

BOOST_AUTO_TEST_CASE(builds_that_are_the_same_are_not_measured_unless_asked_for) {
  plan("same", kQuiet, kSlow);
  build(true);
  const json line = only_line(ab({"--json"}));
  BOOST_TEST(line.at("outcome") == "unchanged");
  BOOST_TEST(line.at("measured") == false);
  BOOST_TEST(line.at("base_ns").is_null());
  BOOST_TEST(says(line, "not measured"));
  BOOST_TEST(started("base").empty());
  BOOST_TEST(ab().out.find("1 case: 1 unchanged (1 not measured)\n") != std::string::npos);
  BOOST_TEST(only_line(ab({"--json", "--all"})).at("outcome") == "slower");
}

BOOST_AUTO_TEST_CASE(cases_of_one_build_are_named_and_fail_only_where_that_is_asked_for) {
  plan("both", kQuiet, kQuiet);
  plan_in("base", "gone", kQuiet);
  plan_in("candidate", "new", kQuiet);
  build();
  const Said said = ab({"--json"});
  BOOST_TEST(said.code == 0);
  const auto lines = said.lines();
  BOOST_REQUIRE_EQUAL(lines.size(), 3U);
  BOOST_TEST(lines[1].at("case") == "fake.gone.f32");
  BOOST_TEST(lines[1].at("outcome") == "base-only");
  BOOST_TEST(lines[2].at("outcome") == "candidate-only");
  BOOST_TEST(ab({"--check"}).code == 4);
  const opgate::test::Variable required("OPGATE_REQUIRE_BASELINE", "1");
  BOOST_TEST(ab().code == 4);
}

BOOST_AUTO_TEST_CASE(other_dimensions_are_told_and_not_measured) {
  plan("same", kQuiet, kSlow);
  candidate_n = 32;
  build();
  const Said said = ab({"--json"});
  BOOST_TEST(said.code == 0);
  BOOST_TEST(only_line(said).at("outcome") == "not-comparable");
  BOOST_TEST(says(only_line(said), "dimensions"));
  BOOST_TEST(started("base").empty());
}

BOOST_AUTO_TEST_CASE(a_crash_of_one_side_is_named_and_stops_that_case_only) {
  plan("crash", kQuiet, {{"busy_ns", 100'000}, {"behaviour", "crash"}, {"good_starts", 1}});
  plan("same", kQuiet, kQuiet);
  build();
  const Said said = ab({"--json"});
  BOOST_TEST(said.code == 3);
  const auto lines = said.lines();
  BOOST_REQUIRE_EQUAL(lines.size(), 2U);
  BOOST_TEST(lines[0].at("outcome") == "failed");
  BOOST_TEST(lines[0].at("side") == "candidate");
  BOOST_TEST(lines[0].at("exit_code") == 3);
  BOOST_TEST(says(lines[0], "candidate: phase measure"));
  BOOST_TEST(says(lines[0], "signal 6"));
  BOOST_TEST(lines[1].at("outcome") == "unchanged");
}

BOOST_AUTO_TEST_CASE(a_hang_is_bounded_by_the_time_of_the_spec) {
  plan("hang", {{"busy_ns", 100'000}, {"behaviour", "hang"}}, kQuiet);
  extra = "\"timeout_s\": 1,";
  build();
  const auto began = std::chrono::steady_clock::now();
  const Said said = ab({"--json"});
  BOOST_TEST((std::chrono::steady_clock::now() - began < std::chrono::seconds(20)));
  BOOST_TEST(said.code == 3);
  BOOST_TEST(only_line(said).at("side") == "base");
  BOOST_TEST(says(only_line(said), "hung"));
}

BOOST_AUTO_TEST_CASE(each_fault_keeps_its_exit_code_and_the_worst_one_wins) {
  plan("lossy", kQuiet, {{"busy_ns", 1}, {"behaviour", "lossy"}});
  plan("slow", kQuiet, kSlow);
  plan("wrong", kQuiet, {{"busy_ns", 1}, {"behaviour", "wrong"}});
  build();
  const Said said = ab({"--json"});
  const auto lines = said.lines();
  BOOST_REQUIRE_EQUAL(lines.size(), 3U);
  BOOST_TEST(lines[0].at("exit_code") == 2);
  BOOST_TEST(lines[1].at("exit_code") == 1);
  BOOST_TEST(lines[2].at("exit_code") == 5);
  BOOST_TEST(said.code == 2);
  BOOST_TEST(ab({"--filter", "slow|wrong"}).code == 5);
}

// Held back or not, kernels that may overlap read differently: that is no slowdown.
BOOST_AUTO_TEST_CASE(another_launch_mode_is_not_compared) {
  plan("same", kQuiet, {{"busy_ns", 103'000}, {"launch", "queued"}});
  build();
  const json line = only_line(ab({"--json"}));
  BOOST_TEST(line.at("outcome") == "not-comparable");
  BOOST_TEST(says(line, "launch"));
}

BOOST_AUTO_TEST_CASE(a_machine_without_a_gpu_skips_and_says_so) {
  plan("same", kQuiet, kQuiet);
  build();
  const opgate::test::Variable none("FAKE_NVML_DEVICES", "0");
  const Said said = ab({"--json"});
  if (said.code == 3) return;  // an NVIDIA GPU on the bus whose driver offers none
  BOOST_TEST(said.code == 77);
  BOOST_TEST(only_line(said).at("outcome") == "skipped");
  const opgate::test::Variable required("OPGATE_REQUIRE_GPU", "1");
  BOOST_TEST(ab().code == 3);
}

BOOST_AUTO_TEST_CASE(an_executable_that_was_not_built_is_named) {
  plan("same", kQuiet, kQuiet);
  build();
  std::filesystem::remove(at("candidate") / "bin" / "op_fake");
  const Said said = ab({"--json"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(says(only_line(said), "--target op_fake"));
}

BOOST_AUTO_TEST_CASE(folders_that_cannot_be_compared_are_usage_errors) {
  plan("same", kQuiet, kQuiet);
  build();
  const Said none = bare({"ab", "--base", at("base").string(), "--candidate", at("nowhere").string()});
  BOOST_TEST(none.code == 64);
  BOOST_TEST(none.err.find("nowhere: this is no configured build folder") != std::string::npos);
  BOOST_TEST(ab({"--filter", "^x$"}).code == 64);
  BOOST_TEST(ab({"--max-pairs", "5"}).code == 64);
  BOOST_TEST(ab({"--max-pairs", "2"}).code == 64);
  const opgate::test::Variable replay("OPGATE_REPLAY", at("base").string());
  BOOST_TEST(ab().code == 64);
}

BOOST_AUTO_TEST_SUITE_END()
