// Cases of several fresh processes a reading: the supervisor is the real one, its workers play a plan.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>

#include "app/two_builds.hpp"
#include "run/logged_child.hpp"
#include "text/file.hpp"

using namespace opgate;
using namespace opgate::tests;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

const json kQuiet{{"busy_ns", 100'000}};

json with(json plan, const json& more) {
  plan.update(more);
  return plan;
}

class Processes : public TwoBuilds {
 public:
  Processes() { extra = R"("processes": 3,)"; }
  int measure(const json& plan, std::vector<std::string> words = {}) {
    plan_in("base", "one", plan);
    build();
    return again(std::move(words));
  }
  [[nodiscard]] int again(std::vector<std::string> words = {}) const {
    words.insert(words.begin(), "fake.one.f32");
    run::ChildCommand command{.arguments = std::move(words), .environment = {}};
    command.program = at("base") / "bin" / "op_fake";
    command.environment = {{"OPGATE_PROJECT", (at("base") / "opgate" / "project.json").string()},
                           {"OPGATE_BASELINES", (at("base") / "baselines").string()}};
    return run::run_logged(command, at("said.txt"), std::chrono::steady_clock::now() + 60s).exit_status.value_or(-1);
  }
  void accept_of(int processes, int busy_ns = 100'000) {
    accepted_processes = processes;
    accept("one", busy_ns);
  }
  [[nodiscard]] store::CaseResult stored() const { return history().results({.with_samples = true}).at(0); }
  [[nodiscard]] bool said(const std::string& words) const {
    return text::read_file(at("said.txt"), ErrorKind::io).find(words) != std::string::npos;
  }
  [[nodiscard]] std::size_t workers() const { return started("base").size(); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(processes, Processes)

BOOST_AUTO_TEST_CASE(the_samples_of_all_are_one_reading) {
  BOOST_TEST(measure(kQuiet) == 0);
  BOOST_TEST(workers() == 3U);
  const store::CaseResult result = stored();
  BOOST_REQUIRE(result.attempts.size() == 1U);
  BOOST_TEST(result.attempts[0].processes == 3);
  BOOST_TEST(result.attempts[0].implementations.at(0).measurement.samples.size() == 60U);
  BOOST_TEST(said("60 of 3 processes"));
  BOOST_TEST(said(R"(name="processes">3<)"));
}

BOOST_AUTO_TEST_CASE(the_command_line_goes_before_the_spec) {
  BOOST_TEST(measure(kQuiet, {"--processes", "2"}) == 0);
  BOOST_TEST(workers() == 2U);
  BOOST_TEST(history().runs().at(0).options == "--processes 2");
}

BOOST_AUTO_TEST_CASE(the_second_that_fails_leaves_no_number_and_its_own_records) {
  const fs::path traces = fs::path(OPGATE_SOURCE_DIR) / "framework" / "tests" / "data" / "traces" / "faults";
  const std::string good = (traces / "selftest.copies.f32.trace.jsonl").string();
  const std::string bad = (traces / "selftest.records-lost.f32.trace.jsonl").string();
  const int code = measure(with(kQuiet, {{"behaviour", "lossy"}, {"good_starts", 1}, {"records", {good, bad}}}));
  BOOST_TEST(code == 2);
  BOOST_TEST(workers() == 2U);
  const core::Attempt attempt = stored().attempts.at(0);
  BOOST_TEST((attempt.status == core::Status::untrusted));
  BOOST_TEST(attempt.message == "fresh process 2 of the reading: records were lost");
  BOOST_TEST(attempt.implementations.empty());
  BOOST_TEST(text::read_file(at("h.timelines") / "fake.one.f32.trace.jsonl", ErrorKind::io) ==
             text::read_file(bad, ErrorKind::io));
}

BOOST_AUTO_TEST_CASE(how_the_second_ended_is_told) {
  for (const auto& [behaviour, code] : {std::pair{"crash", 3}, std::pair{"wrong", 5}}) {
    fs::remove(at("base") / "started.log");
    BOOST_TEST(measure(with(kQuiet, {{"behaviour", behaviour}, {"good_starts", 1}})) == code);
    BOOST_TEST(workers() == 2U);
    BOOST_TEST(said("fresh process 2 of the reading: "));
  }
}

BOOST_AUTO_TEST_CASE(a_confirming_reading_takes_as_many) {
  plan_in("base", "one", kQuiet);
  build();
  accept_of(3);
  BOOST_TEST(measure({{"busy_ns", 104'000}}) == 1);
  BOOST_TEST(workers() == 6U);
  BOOST_TEST(stored().attempts.at(1).processes == 3);
}

BOOST_AUTO_TEST_CASE(a_confirming_reading_that_fails_midway_confirms_nothing_and_keeps_the_first) {
  plan_in("base", "one", kQuiet);
  build();
  accept_of(3);
  const int code = measure({{"busy_ns", 104'000}, {"behaviour", "crash"}, {"good_starts", 4}});
  BOOST_TEST(code == 6);
  const store::CaseResult result = stored();
  BOOST_REQUIRE(result.attempts.size() == 3U);
  BOOST_TEST((result.attempts[0].status == core::Status::measured));
  BOOST_TEST((result.attempts[1].status == core::Status::failed));
  BOOST_TEST((result.judgement->verdict == core::Verdict::inconclusive));
}

BOOST_AUTO_TEST_CASE(another_number_of_them_is_another_way_to_measure) {
  plan_in("base", "one", kQuiet);
  build();
  accept_of(1);
  BOOST_TEST(measure(kQuiet) == 0);
  BOOST_TEST(said("processes of a reading differs: 1 in the baseline, 3 now"));
  BOOST_TEST((stored().judgement->verdict == core::Verdict::not_comparable));
}

BOOST_AUTO_TEST_CASE(no_baseline_comes_of_both) {
  BOOST_TEST(measure(kQuiet) == 0);
  for (int run = 0; run < 4; ++run) BOOST_TEST(again() == 0);
  BOOST_TEST(again({"--processes", "1"}) == 0);
  const auto accepting = [&](const std::string& runs) {
    return run({"baseline", "accept", "--reason", "r", "--allow-options", "--runs", runs});
  };
  const Said mixed = accepting("1,2,3,4,5,6");
  BOOST_TEST(mixed.code == 3);
  BOOST_TEST(mixed.err.find("processes") != std::string::npos, mixed.out + mixed.err);
  const Said alike = accepting("1,2,3,4,5");
  BOOST_TEST(alike.code == 0, alike.out + alike.err);
  BOOST_TEST(again({"--processes", "1", "--baselines", at("b").string()}) == 0);
  BOOST_TEST(said("processes of a reading differs: 3 in the baseline, 1 now"));
}

// A change that lowers them is judged as its merge base measures.
BOOST_AUTO_TEST_CASE(the_gate_measures_as_many_as_the_merge_base) {
  candidate_extra = "";
  labels = R"(["nightly", "gate"])";
  rows_extra = R"(, "processes": 1)";
  plan("one", kQuiet, kQuiet);
  build();
  accept_of(3);
  const Said judged = gate();
  BOOST_TEST(judged.code == 0, judged.out + judged.err);
  BOOST_TEST(started("candidate").size() == 3U);
  BOOST_TEST(judged.out.find("3 -> 1") != std::string::npos, judged.out);
}

BOOST_AUTO_TEST_SUITE_END()
