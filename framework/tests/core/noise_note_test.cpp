#include <boost/test/unit_test.hpp>

#include "run_builder.hpp"

using namespace opgate;
using namespace opgate::core;

namespace {

// Five accepted runs that differ by 2 %: the limit is 8 %.
CaseBaseline unsteady() {
  return summarise(runs_of({9'800, 9'900, 10'000, 10'200, 10'300}));
}

// `samples` of which a quarter each lies at 10,000 -/+ `half_ns`, or between.
CaseRun spread(std::size_t samples, std::int64_t half_ns, const std::string& processes = "1") {
  CaseRun run = run_of(10'000);
  run.conditions.processes = processes;
  run.samples.resize(samples, run.samples.front());
  for (std::size_t i = 0; i < samples; ++i) {
    run.samples[i].busy_ns += half_ns * (static_cast<std::int64_t>(i % 3) - 1);
  }
  return run;
}

std::string note_of(const CaseBaseline& baseline, CaseRun run) {
  CaseBaseline held = baseline;
  held.conditions.processes = run.conditions.processes;
  const Judgement judgement = judge(held, run, std::nullopt, {});
  for (const std::string& note : judgement.notes) {
    if (note.starts_with("the accepted runs differ by")) return note;
  }
  return {};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(noise_note)

BOOST_AUTO_TEST_CASE(samples_that_spread_as_much_want_more_of_them) {
  const std::string note = note_of(unsteady(), spread(200, 3'000));
  BOOST_TEST(has(note, "differ by 2.07 %"), note);
  BOOST_TEST(has(note, "as medians of 200 samples do; \"iterations\": 800 in the spec halves it"), note);
}

BOOST_AUTO_TEST_CASE(steady_samples_leave_it_to_the_processes) {
  const std::string note = note_of(unsteady(), spread(200, 32));
  BOOST_TEST(has(note, "more from process to process than its samples tell; \"processes\": 4 in the spec"), note);
}

BOOST_AUTO_TEST_CASE(iterations_are_those_of_one_process) {
  const std::string note = note_of(unsteady(), spread(800, 6'000, "4"));
  BOOST_TEST(has(note, "medians of 800 samples do; \"iterations\": 800 in"), note);
  BOOST_TEST(has(note_of(unsteady(), spread(800, 32, "4")), "\"processes\": 16 in the spec"));
}

BOOST_AUTO_TEST_CASE(what_a_spec_cannot_ask_for_is_not_advised) {
  BOOST_TEST(note_of(unsteady(), spread(800, 32, "8")) == "");
}

BOOST_AUTO_TEST_CASE(nothing_is_said_where_noise_is_not_the_limit_or_nobody_can_tell) {
  const CaseBaseline steady = summarise(runs_of({9'990, 9'995, 10'000, 10'005, 10'010}));
  BOOST_TEST(note_of(steady, spread(200, 3'000)) == "");
  const CaseBaseline hardly_wider = summarise(runs_of({9'970, 9'985, 10'000, 10'030, 10'045}));
  BOOST_TEST(note_of(hardly_wider, spread(200, 32)) == "");
  BOOST_TEST(note_of(unsteady(), spread(29, 32)) == "");
  BOOST_TEST(note_of(unsteady(), spread(200, 32, "")) == "");
}

BOOST_AUTO_TEST_SUITE_END()
