#include <boost/test/unit_test.hpp>
#include <csignal>
#include <fstream>
#include <thread>

#include "app/two_builds.hpp"
#include "text/file.hpp"

using namespace opgate;
using namespace opgate::tests;
using nlohmann::json;

namespace {

const json kQuiet{{"busy_ns", 100'000}};
const json kSlow{{"busy_ns", 104'000}};

class Merge : public TwoBuilds {
 public:
  Merge() { labels = R"(["nightly", "gate"])"; }
  // Both sides alike and accepted.
  void innocent(const std::string& workload) {
    plan(workload, kQuiet, kQuiet);
    accepted_.push_back(workload);
  }
  Said judged(std::vector<std::string> words = {}) {
    build();
    for (const std::string& workload : accepted_) accept(workload, 100'000);
    return gate(std::move(words));
  }
  [[nodiscard]] std::string summary() const { return text::read_file(at("summary.md"), ErrorKind::io); }
  [[nodiscard]] std::string comment() const { return text::read_file(at("comment.md"), ErrorKind::io); }

 protected:
  std::vector<std::string> accepted_;
};

json line_of(const Said& said, const std::string& name) {
  for (const json& line : said.lines()) {
    if (line.contains("case") && line.at("case") == name) return line;
  }
  BOOST_FAIL("no line of " + name + ": " + said.out + said.err);
  return {};
}

bool has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(gate, Merge)

BOOST_AUTO_TEST_CASE(an_innocent_change_is_green_against_the_stored_baseline) {
  innocent("one");
  innocent("two");
  const Said said = judged();
  BOOST_TEST(said.code == 0, said.out + said.err);
  BOOST_TEST(has(said.out, "GREEN  2 cases labelled gate: 2 pass"));
  BOOST_TEST(has(summary(), "## opgate: GREEN"));
  BOOST_TEST(started("base").empty());  // the stored baseline was enough
  BOOST_TEST(said.out.ends_with("comment: " + at("comment.md").string() + "\n"));
}

BOOST_AUTO_TEST_CASE(a_slower_case_is_settled_against_the_merge_base_and_red) {
  innocent("one");
  plan("slow", kQuiet, kSlow);
  accepted_.push_back("slow");
  const Said said = judged({"--json"});
  BOOST_TEST(said.code == 1, said.out + said.err);
  const json slow = line_of(said, "fake.slow.f32");
  BOOST_TEST(slow.at("outcome") == "regressed");
  BOOST_TEST(has(slow.at("against").get<std::string>(), "merge base"));
  BOOST_TEST(line_of(said, "fake.one.f32").at("exit_code") == 0);
  BOOST_TEST(has(summary(), "RED (1: regression)"));
}

// The nightly's business, not this change's.
BOOST_AUTO_TEST_CASE(a_case_that_was_slow_before_is_not_this_changes_fault) {
  plan("drifted", kSlow, kSlow);
  accepted_.push_back("drifted");
  const Said said = judged({"--json"});
  BOOST_TEST(said.code == 0, said.out + said.err);
  BOOST_TEST(line_of(said, "fake.drifted.f32").at("outcome") == "not slower than the merge base");
  BOOST_TEST(has(summary(), "### Needs a person"));
}

BOOST_AUTO_TEST_CASE(a_tolerance_that_the_change_widens_does_not_help_it_and_is_told_first) {
  plan("slow", kQuiet, kSlow);
  accepted_.push_back("slow");
  rows_extra = R"(, "tolerance": "50%", "why": "why not")";
  const Said said = judged();
  BOOST_TEST(said.code == 1, said.out + said.err);
  BOOST_TEST(has(said.out, "tolerance of fake.slow.f32: 1.0 % -> 50.0 %"));
  const std::string text = summary();
  BOOST_TEST(has(text, "This change edits its own gate"));
  BOOST_TEST(text.find("own gate") < text.find("Needs a person"));
}

BOOST_AUTO_TEST_CASE(a_label_that_the_change_takes_away_does_not_help_it) {
  plan("slow", kQuiet, kSlow);
  accepted_.push_back("slow");
  build();
  accept("slow", 100'000);
  const std::string spec = text::read_file(at("candidate") / "fake.json", ErrorKind::io);
  std::string without = spec;
  without.replace(without.find(R"(["nightly", "gate"])"), 19, R"(["nightly"])");
  write("candidate/fake.json", without);
  const Said said = gate();
  BOOST_TEST(said.code == 1, said.out + said.err);
  BOOST_TEST(has(said.out, "labels of fake.slow.f32: nightly gate -> nightly"));
}

BOOST_AUTO_TEST_CASE(a_baseline_that_the_change_raises_does_not_help_it_and_is_told) {
  plan("slow", kQuiet, kSlow);
  accepted_.push_back("slow");
  build();
  accept("slow", 100'000);
  accept("slow", 104'000, "candidate");
  const Said said = gate();
  BOOST_TEST(said.code == 1, said.out + said.err);
  BOOST_TEST(has(said.out, "baseline of nvidia-h200/fake.json: changes fake.slow.f32"), said.out);
}

BOOST_AUTO_TEST_CASE(a_waiver_that_the_change_writes_for_itself_does_not_help_it_and_is_told) {
  plan("slow", kQuiet, kSlow);
  accepted_.push_back("slow");
  build();
  accept("slow", 100'000);
  std::filesystem::create_directories(at("candidate") / "baselines");
  write("candidate/baselines/waivers.json",
        R"({"waivers": [{"case": "fake.slow.f32", "owner": "A", "reason": "r", "expires": "2999-12-31"}]})");
  const Said said = gate();
  BOOST_TEST(said.code == 1, said.out + said.err);
  BOOST_TEST(has(said.out, "waivers of waivers.json: adds fake.slow.f32"), said.out);
}

BOOST_AUTO_TEST_CASE(a_waiver_of_the_merge_base_holds) {
  plan("slow", kQuiet, kSlow);
  build();
  accept("slow", 100'000);
  for (const char* tree : {"base", "candidate"}) {
    std::filesystem::create_directories(at(tree) / "baselines");
    write(std::string(tree) + "/baselines/waivers.json",
          R"({"waivers": [{"case": "fake.slow.f32", "owner": "A", "reason": "r", "expires": "2999-12-31"}]})");
  }
  const Said said = gate({"--json"});
  BOOST_TEST(said.code == 0, said.out + said.err);
  BOOST_TEST(line_of(said, "fake.slow.f32").at("outcome") == "waived");
}

BOOST_AUTO_TEST_CASE(a_removed_case_is_named_and_red_unless_allowed) {
  innocent("one");
  plan_in("base", "gone", kQuiet);
  plan_in("candidate", "other", {{"busy_ns", 5000}});
  candidate_n = 16;
  const Said said = judged({"--json"});
  BOOST_TEST(said.code == 3, said.out + said.err);
  BOOST_TEST(line_of(said, "fake.gone.f32").at("outcome") == "removed");
  BOOST_TEST(has(said.out, "the candidate measures the same as fake.other.f32"));  // so a rename is seen
  BOOST_TEST(has(summary(), "case removed"));
  BOOST_TEST(gate({"--allow-removed"}).code == 0);
}

BOOST_AUTO_TEST_CASE(a_new_case_is_measured_and_named_and_not_red_for_want_of_a_baseline) {
  innocent("one");
  plan_in("candidate", "fresh", {{"busy_ns", 5000}});
  const Said said = judged({"--json"});
  BOOST_TEST(said.code == 0, said.out + said.err);
  const json fresh = line_of(said, "fake.fresh.f32");
  BOOST_TEST(fresh.at("outcome") == "new");
  BOOST_TEST(fresh.at("now_ns").get<double>() > 0);
  BOOST_TEST(fresh.at("new") == true);
}

BOOST_AUTO_TEST_CASE(a_new_case_that_crashes_is_red) {
  innocent("one");
  plan_in("candidate", "fresh", {{"busy_ns", 5000}, {"behaviour", "crash"}});
  BOOST_TEST(judged().code == 3);
}

BOOST_AUTO_TEST_CASE(without_a_baseline_the_merge_bases_build_settles) {
  plan("same", kQuiet, kQuiet);
  plan("slow", kQuiet, kSlow);
  const Said said = judged({"--json"});
  BOOST_TEST(said.code == 1, said.out + said.err);
  BOOST_TEST(line_of(said, "fake.same.f32").at("exit_code") == 0);
  BOOST_TEST(line_of(said, "fake.slow.f32").at("exit_code") == 1);
}

BOOST_AUTO_TEST_CASE(without_a_baseline_that_fits_and_without_a_comparison_it_is_not_green) {
  plan("resized", kQuiet, kQuiet);
  candidate_n = 32;
  const Said said = judged({"--json"});
  BOOST_TEST(said.code == 4, said.out + said.err);
  BOOST_TEST(line_of(said, "fake.resized.f32").at("outcome") == "without a baseline");
}

BOOST_AUTO_TEST_CASE(cases_that_cannot_have_changed_are_not_measured_and_said) {
  plan("same", kQuiet, kQuiet);
  build(true);
  const Said said = gate();
  BOOST_TEST(said.code == 0, said.out + said.err);
  BOOST_TEST(has(said.out, "1 cannot have changed, not measured"));
  BOOST_TEST(started("candidate").empty());
}

BOOST_AUTO_TEST_CASE(an_empty_selection_is_not_green) {
  innocent("one");
  BOOST_TEST(judged({"--filter", "^nothing$"}).code == 3);
  const Said said = gate({"--label", "smoke"});
  BOOST_TEST(said.code == 3, said.out + said.err);
  BOOST_TEST(has(said.out, "the merge base has no case labelled smoke"));
}

BOOST_AUTO_TEST_CASE(a_machine_without_a_gpu_is_not_green) {
  innocent("one");
  const test::Variable none("FAKE_NVML_DEVICES", "0");
  build();
  const Said said = gate({"--json"});
  BOOST_TEST(said.code == 3, said.out + said.err);
  BOOST_TEST(line_of(said, "fake.one.f32").at("outcome") == "not run");
  BOOST_TEST(has(summary(), "nothing was measured"));
}

BOOST_AUTO_TEST_CASE(each_fault_keeps_its_code_and_the_worst_one_wins) {
  innocent("one");
  plan("lossy", kQuiet, {{"busy_ns", 1}, {"behaviour", "lossy"}});
  plan("wrong", kQuiet, {{"busy_ns", 1}, {"behaviour", "wrong"}});
  plan("slow", kQuiet, kSlow);
  const Said said = judged({"--json"});
  BOOST_TEST(said.code == 2, said.out + said.err);
  BOOST_TEST(line_of(said, "fake.lossy.f32").at("outcome") == "untrusted");
  BOOST_TEST(line_of(said, "fake.wrong.f32").at("outcome") == "wrong result");
}

BOOST_AUTO_TEST_CASE(a_program_that_was_not_built_is_named) {
  innocent("one");
  build();
  std::filesystem::remove(at("candidate") / "bin" / "op_fake");
  const Said said = gate({"--json"});
  BOOST_TEST(said.code == 3);
  BOOST_TEST(has(line_of(said, "fake.one.f32").at("reason").get<std::string>(), "stored nothing"));
}

BOOST_AUTO_TEST_CASE(told_to_stop_it_still_reports_what_was_not_run) {
  plan("hang", kQuiet, {{"busy_ns", 1}, {"behaviour", "hang"}});
  plan("later", kQuiet, kQuiet);
  build();
  std::thread killer([&] {
    for (int i = 0; i < 1000 && started("candidate").empty(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ::kill(::getpid(), SIGINT);
  });
  const Said said = gate({"--json"});
  killer.join();
  BOOST_TEST(said.code == 3, said.out + said.err);
  BOOST_TEST(line_of(said, "fake.hang.f32").at("outcome") == "not run");
  BOOST_TEST(line_of(said, "fake.later.f32").at("outcome") == "not run");
}

BOOST_AUTO_TEST_CASE(the_canary_passes_only_when_exactly_its_op_went_red) {
  plan("slow", kQuiet, kSlow);
  BOOST_TEST(judged({"--expect-red", "fake"}).code == 0);
  BOOST_TEST(gate({"--expect-red", "other"}).code == 1);
  plan("quiet", kQuiet, kQuiet);
  const Said said = judged({"--expect-red", "fake"});
  BOOST_TEST(said.code == 1);
  BOOST_TEST(has(said.out, "canary failed: slower, but not found: fake.quiet.f32"));
}

BOOST_AUTO_TEST_SUITE_END()
