// Calls that wait for the device and keep the host after it is idle: their probes come late, with nothing hidden.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <optional>

#include "collect/trace.hpp"
#include "measure/recorded_stage.hpp"
#include "measure/test_bench.hpp"

using namespace opgate;
using collect::PhaseKind;
using opgate::measure::Measured;
using test::Bench;
using test::says;

namespace {

constexpr std::int64_t kFreeNs = 300'000;

// As an op that frees memory: a kernel, what it hides, and then the host's own work.
struct Frees {
  explicit Frees(std::int64_t hides_ns = 0) : hidden_ns(hides_ns) {}
  Measured measure(const BenchOptions& options = {}) {
    return bench.measure(bench.call("frees", [this] { run(); }), options);
  }
  void run() {
    bench.collector.launch("scale", 2000);
    bench.collector.wait_for_device(hidden_ns);
    bench.stage.block();
    bench.collector.pass_time(free_ns());
  }
  std::int64_t free_ns() {
    if (bench.collector.draining() && ++drained_calls <= late_calls) {
      return 20 * kFreeNs;
    }
    return frees_ns;
  }

  Bench bench;
  std::int64_t hidden_ns;
  std::int64_t frees_ns = kFreeNs;
  int late_calls = 0;
  int drained_calls = 0;
};

void check_hidden(const Measured& measured) {
  BOOST_REQUIRE_EQUAL(measured.issues.size(), 1U);
  BOOST_TEST(says(measured.issues.front().text, "no record tells of"));
  BOOST_TEST(measured.measurement.samples.empty());
}

BenchOptions direct() {
  BenchOptions options;
  options.launch = Launch::direct;
  return options;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(host_time)

BOOST_AUTO_TEST_CASE(time_that_the_host_takes_after_an_idle_device_is_not_hidden_work) {
  for (const BenchOptions& options : {BenchOptions{}, direct()}) {
    Frees frees;
    const Measured one = frees.measure(options);
    BOOST_TEST(one.issues.empty());
    BOOST_TEST((one.measurement.launch == Launch::direct));
    BOOST_TEST(one.measurement.samples.size() == 200U);
    const auto trials = frees.bench.collector.plans_of(PhaseKind::warmup);
    BOOST_TEST(trials.back().drained);
    BOOST_TEST(!trials.back().held);
    BOOST_TEST(trials.back().iterations == 5);
    BOOST_TEST(!frees.bench.collector.plans_of(PhaseKind::measure).front().drained);
  }
}

BOOST_AUTO_TEST_CASE(hidden_work_that_the_call_waits_for_is_refused_whatever_the_host_does_then) {
  for (const BenchOptions& options : {BenchOptions{}, direct()}) {
    check_hidden(Frees(100'000).measure(options));
  }
  Bench later;  // nothing was hidden in the trial
  check_hidden(later.measure(later.call("later", [&] {
    later.collector.launch("scale", 2000);
    later.collector.wait_for_device(later.collector.draining() ? 0 : 100'000);
    later.stage.block();
    later.collector.pass_time(kFreeNs);
  })));
}

// The call does not really wait where it was drained, so that its probes come no later than the host is.
BOOST_AUTO_TEST_CASE(hidden_work_beside_a_busy_host_is_refused_too) {
  Bench bench;
  check_hidden(bench.measure(bench.call("beside", [&] {
    bench.collector.launch("parent", 2000);
    bench.collector.wait_for_device(bench.collector.draining() ? 250'000 : 0);
    bench.stage.block();
    bench.collector.pass_time(kFreeNs);
  })));
}

BOOST_AUTO_TEST_CASE(without_a_subscription_the_limit_stays_as_it_is) {
  Frees none;
  none.bench.collector.subscribes = false;
  check_hidden(none.measure());
  BOOST_TEST(none.bench.collector.plans_of(PhaseKind::warmup).back().drained);
  Frees shorter;
  shorter.bench.collector.subscribes = false;
  shorter.frees_ns = 30'000;
  BOOST_TEST(shorter.measure().issues.empty());
}

BOOST_AUTO_TEST_CASE(a_trace_without_drained_phases_is_asked_for_none) {
  Frees old;
  old.bench.collector.has_drained_phases = false;
  check_hidden(old.measure());
  for (const collect::PhasePlan& plan : old.bench.collector.plans) {
    BOOST_TEST(!plan.drained);
  }
}

BOOST_AUTO_TEST_CASE(a_recorded_case_is_judged_by_the_same_limit_when_it_is_replayed) {
  for (const bool subscribes : {true, false}) {
    Frees frees;
    frees.bench.collector.subscribes = subscribes;
    collect::Trace trace;
    const auto recording = collect::make_recording_collector(frees.bench.collector, trace);
    measure::RecordingStage recording_stage(frees.bench.stage, trace.calibrations_ns);
    const auto progress = [](std::string_view) {};
    const Candidate call = frees.bench.call("frees", [&] { frees.run(); });
    const Measured live = measure::measure_candidates(*recording, recording_stage, {call}, {}, progress).front();
    BOOST_TEST(live.issues.empty() == subscribes);
    BOOST_TEST(std::count_if(trace.phases.begin(), trace.phases.end(),
                             [](const collect::TracePhase& phase) { return phase.plan.drained; }) == 1);

    const collect::Trace read = collect::parse_trace(collect::format_trace(trace), "t.jsonl");
    const auto replaying = collect::make_replaying_collector(read);
    measure::RecordedStage recorded_stage(read.calibrations_ns);
    const Candidate nothing = frees.bench.call("frees", [] {});
    const Measured again = measure::measure_candidates(*replaying, recorded_stage, {nothing}, {}, progress).front();
    BOOST_REQUIRE_EQUAL(again.issues.size(), live.issues.size());
    BOOST_TEST(again.measurement.samples.size() == live.measurement.samples.size());
    if (!subscribes) {
      BOOST_TEST(again.issues.front().text == live.issues.front().text);
    }
  }
}

BOOST_AUTO_TEST_CASE(two_late_calls_of_the_trial_do_not_widen_the_limit) {
  Frees late(200'000);
  late.late_calls = 2;
  check_hidden(late.measure());
  // Nor do they where only the measured calls hide something.
  Frees quiet;
  quiet.late_calls = 2;
  BOOST_TEST(quiet.measure().issues.empty());
  Frees longer;
  longer.late_calls = 2;
  check_hidden(longer.bench.measure(longer.bench.call("longer", [&] {
    longer.bench.collector.launch("scale", 2000);
    longer.bench.collector.wait_for_device();
    longer.bench.stage.block();
    const bool drained = longer.bench.collector.draining();
    longer.bench.collector.pass_time(longer.free_ns() + (drained ? 0 : 100'000));
  })));
}

BOOST_AUTO_TEST_CASE(calls_that_wait_for_nothing_are_not_drained) {
  Bench queued;
  BOOST_TEST(queued.measure(queued.kernel("k", 2000)).issues.empty());
  for (const collect::PhasePlan& plan : queued.collector.plans) {
    BOOST_TEST(!plan.drained);
  }
  Bench computes;  // directly, and without a CUDA call that waits: the host's time stays suspect
  check_hidden(computes.measure(computes.call("computes",
                                              [&] {
                                                computes.collector.launch("k", 2000);
                                                computes.collector.pass_time(kFreeNs);
                                              }),
                                direct()));
  Bench method_1;
  BenchOptions options = direct();
  options.protocol = Protocol::method_1;
  (void)method_1.measure(method_1.kernel("k", 2000), options);
  BOOST_TEST(method_1.collector.plans.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_call_that_throws_while_it_is_drained_ends_the_phase) {
  Bench bench;
  BOOST_CHECK_THROW((void)bench.measure(bench.call("thrower",
                                                   [&] {
                                                     if (bench.collector.draining() && !bench.collector.preparing()) {
                                                       throw Error(ErrorKind::op, "mine");
                                                     }
                                                     bench.collector.launch("k", 1000);
                                                     bench.stage.block();
                                                   })),
                    Error);
  BOOST_TEST(bench.collector.abandoned == 1);
}

BOOST_AUTO_TEST_SUITE_END()
