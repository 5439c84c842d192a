// Protocol opgate-1 beyond method-1: calls behind a hold, between clock probes, paced.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "measure/test_bench.hpp"

using namespace opgate;
using collect::PhaseKind;
using opgate::measure::Measured;
using test::Bench;
using test::says;

BOOST_AUTO_TEST_SUITE(queued)

BOOST_AUTO_TEST_CASE(every_measured_call_is_held_and_lies_between_probes_that_are_in_no_reading) {
  Bench bench;
  int outside = 0;
  const Measured one = bench.measure(bench.call("k", [&] {
    outside += bench.collector.labelled() && !bench.stage.held_iteration ? 1 : 0;
    bench.collector.launch("k", 2048);
  }));
  BOOST_REQUIRE(one.issues.empty());
  BOOST_TEST((one.measurement.launch == Launch::queued));
  BOOST_TEST(one.measurement.launch_reason.empty());
  BOOST_TEST(outside == 0);
  BOOST_TEST(bench.stage.holds == bench.stage.releases);
  BOOST_REQUIRE_EQUAL(one.measurement.size(), 200U);
  for (const Sample& sample : one.measurement) {
    BOOST_TEST(sample.busy_ns == 2048);
    BOOST_TEST(sample.n_kernels.value() == 1);
    BOOST_TEST(sample.sm_mhz.value() == 2000);
  }
  const auto measured = bench.collector.plans_of(PhaseKind::measure);
  BOOST_REQUIRE_EQUAL(measured.size(), 1U);
  BOOST_TEST(measured[0].held);
}

BOOST_AUTO_TEST_CASE(three_held_calls_settle_the_launch_mode_once) {
  Bench bench;
  (void)bench.measure_all({bench.kernel("a", 1000), bench.kernel("b", 1000)});
  const auto trials = bench.collector.plans_of(PhaseKind::warmup);
  BOOST_REQUIRE_EQUAL(trials.size(), 2U);
  BOOST_TEST(trials[0].iterations == 3);
  BOOST_TEST(trials[0].held);
  BOOST_TEST(trials[0].implementation == "a");
  BOOST_TEST(trials[1].implementation == "b");
  BOOST_TEST(bench.collector.plans_of(PhaseKind::measure).size() == 4U);
}

BOOST_AUTO_TEST_CASE(a_call_that_waits_for_the_device_is_measured_directly_and_says_so) {
  Bench bench;
  const Measured one = bench.measure(bench.call("k", [&] {
    bench.collector.launch("k", 1000);
    bench.stage.block();
  }));
  BOOST_REQUIRE(one.issues.empty());
  BOOST_TEST((one.measurement.launch == Launch::direct));
  BOOST_TEST(says(one.measurement.launch_reason, "waits for the device inside the call"));
  BOOST_TEST(!bench.collector.plans_of(PhaseKind::measure).front().held);
  // One more held call, with every API traced, to name the one that waited.
  BOOST_TEST(bench.collector.plans_of(PhaseKind::warmup).at(1).every_api);
  BOOST_TEST(one.measurement.samples.front().sm_mhz.has_value());
}

BOOST_AUTO_TEST_CASE(a_call_of_too_many_launches_is_measured_directly) {
  Bench bench;
  BenchOptions options;
  options.iterations = 2;
  const Measured one = bench.measure(bench.call("k",
                                                [&] {
                                                  for (int i = 0; i < 1500; ++i) {
                                                    bench.collector.launch("k", 100);
                                                  }
                                                  bench.stage.block();
                                                }),
                                     options);
  BOOST_TEST((one.measurement.launch == Launch::direct));
  BOOST_TEST(says(one.measurement.launch_reason, "launches 1500 kernels"));
}

BOOST_AUTO_TEST_CASE(a_graph_of_many_kernels_is_one_launch_and_stays_queued) {
  Bench bench;
  BenchOptions options;
  options.iterations = 2;
  const Measured one = bench.measure(bench.call("k",
                                                [&] {
                                                  for (int i = 0; i < 1500; ++i) {
                                                    bench.collector.launch("k", 100);
                                                  }
                                                }),
                                     options);
  BOOST_TEST((one.measurement.launch == Launch::queued));
}

BOOST_AUTO_TEST_CASE(work_that_escapes_the_hold_is_measured_directly_on_an_idle_device) {
  Bench bench;
  int drains_before_call = 0;
  const Measured one = bench.measure(bench.call("k", [&] {
    if (bench.stage.held_iteration) {  // in a stream that nothing holds: it starts while the probe still waits
      bench.collector.launch_at("k", bench.collector.now_ns() - 14'000, bench.collector.now_ns() - 12'000);
    } else {
      drains_before_call = bench.stage.drains;
      bench.collector.launch("k", 2000);
    }
  }));
  BOOST_REQUIRE(one.issues.empty());
  BOOST_TEST((one.measurement.launch == Launch::direct));
  BOOST_TEST(says(one.measurement.launch_reason, "k runs in a stream that is not ordered after the call's"));
  // Of the two drains of an iteration the first lies before the call.
  BOOST_TEST(bench.stage.drains == drains_before_call + 1);
  BOOST_TEST(one.measurement.median_busy_ns() == 2000);
}

BOOST_AUTO_TEST_CASE(a_device_that_cannot_be_held_is_measured_directly) {
  Bench bench;
  bench.stage.can_hold = false;
  const Measured one = bench.measure(bench.kernel("k", 1000));
  BOOST_REQUIRE(one.issues.empty());
  BOOST_TEST((one.measurement.launch == Launch::direct));
  BOOST_TEST(one.measurement.launch_reason == "the device cannot be held");
}

BOOST_AUTO_TEST_CASE(queued_on_request_is_kept_or_refused_never_replaced) {
  BenchOptions options;
  options.launch = Launch::queued;
  Bench fits;
  BOOST_TEST((fits.measure(fits.kernel("k", 1000), options).measurement.launch == Launch::queued));
  Bench blocks;
  const Candidate waiting = blocks.call("k", [&] {
    blocks.collector.launch("k", 1000);
    blocks.stage.block();
  });
  BOOST_CHECK_EXCEPTION((void)blocks.measure(waiting, options), Error, [](const Error& error) {
    return error.kind() == ErrorKind::op && says(error.what(), "cannot be queued") && says(error.remedy(), "direct");
  });
  BOOST_TEST(blocks.collector.plans_of(PhaseKind::measure).empty());
}

BOOST_AUTO_TEST_CASE(a_call_that_waits_only_later_gives_no_number) {
  Bench bench;
  int calls = 0;
  const Measured one = bench.measure(bench.call("k", [&] {
    bench.collector.launch("k", 1000);
    if (bench.collector.labelled() && ++calls > 3) {
      bench.stage.block();
    }
  }));
  BOOST_REQUIRE(!one.issues.empty());
  BOOST_TEST(says(one.issues.front().text, "waited for the held device"));
  BOOST_TEST(one.measurement.samples.empty());
  BOOST_TEST(bench.collector.plans_of(PhaseKind::measure).size() == 3U);  // as lost records are: tried again
}

BOOST_AUTO_TEST_CASE(a_call_that_escapes_only_later_gives_no_number) {
  Bench bench;
  int calls = 0;
  const Measured one = bench.measure(bench.call("k", [&] {
    const bool late = bench.collector.labelled() && ++calls > 3;
    const std::int64_t start_ns = bench.collector.now_ns() - (late ? 14'000 : 0);
    bench.collector.launch_at("k", start_ns, start_ns + 900);
  }));
  BOOST_REQUIRE_EQUAL(one.issues.size(), 1U);
  BOOST_TEST(says(one.issues.front().text, "k of iteration 0 ran before the hold was released"));
}

BOOST_AUTO_TEST_CASE(work_that_outlives_the_call_gives_no_number) {
  for (const auto launch : {std::optional<Launch>(), std::optional<Launch>(Launch::direct)}) {
    Bench bench;
    BenchOptions options;
    options.launch = launch;
    const Measured one = bench.measure(
        bench.call(
            "k",
            [&] { bench.collector.launch_at("runs_on", bench.collector.now_ns(), bench.collector.now_ns() + 9000); }),
        options);
    BOOST_REQUIRE_EQUAL(one.issues.size(), 1U);
    BOOST_TEST(says(one.issues.front().text, "runs_on of iteration 0 ran on"));
    BOOST_TEST(says(one.issues.front().remedy, "cudaStreamWaitEvent"));
  }
}

BOOST_AUTO_TEST_CASE(device_time_that_no_record_tells_of_gives_no_number) {
  for (const auto launch : {std::optional<Launch>(), std::optional<Launch>(Launch::direct)}) {
    const auto with_hidden = [&](std::int64_t hidden_ns) {
      Bench bench;
      BenchOptions options;
      options.launch = launch;
      return bench.measure(bench.call("k",
                                      [&bench, hidden_ns] {
                                        bench.collector.launch("parent", 2000);
                                        bench.collector.pass_time(hidden_ns);
                                      }),
                           options);
    };
    BOOST_TEST(with_hidden(0).issues.empty());
    const Measured hides = with_hidden(80'000);
    BOOST_REQUIRE_EQUAL(hides.issues.size(), 1U);
    BOOST_TEST(says(hides.issues.front().text, "parent"));
    BOOST_TEST(says(hides.issues.front().text, "no record tells of"));
    BOOST_TEST(hides.measurement.samples.empty());
  }
  // Held, the host cannot be what the device waits for: far less is enough.
  Bench bench;
  const Measured small = bench.measure(bench.call("k", [&] {
    bench.collector.launch("parent", 2000);
    bench.collector.pass_time(6'000);
  }));
  BOOST_TEST(small.issues.size() == 1U);
}

BOOST_AUTO_TEST_CASE(the_limit_of_hidden_work_never_comes_from_a_device_that_was_let_go) {
  Bench loads_once;
  (void)loads_once.measure(loads_once.kernel("k", 2048));
  BOOST_TEST(loads_once.collector.plans_of(PhaseKind::proof).size() == 1U);

  Bench late_host;
  late_host.stage.blocking_plain_launches = 2;  // one before the hold, one under it
  BOOST_TEST(late_host.measure(late_host.kernel("k", 2048)).issues.empty());
  BOOST_TEST(late_host.collector.plans_of(PhaseKind::proof).size() == 2U);

  Bench never_held;
  never_held.stage.blocking_plain_launches = 1000;
  BOOST_CHECK_EXCEPTION((void)never_held.measure(never_held.kernel("k", 2048)), Error, [](const Error& error) {
    return error.kind() == ErrorKind::attribution && says(error.what(), "had to be let go in 3 tries");
  });
}

BOOST_AUTO_TEST_CASE(one_late_probe_is_the_machines_and_not_hidden_work) {
  Bench bench;
  int calls = 0;
  const Measured one = bench.measure(bench.call("k", [&] {
    bench.collector.launch("k", 2000);
    if (++calls % 40 == 0) {
      bench.collector.pass_time(100'000);
    }
  }));
  BOOST_TEST(one.issues.empty());
}

BOOST_AUTO_TEST_CASE(an_exception_under_a_hold_lets_the_device_go) {
  Bench bench;
  int calls = 0;
  const Candidate thrower = bench.call("thrower", [&] {
    if (bench.stage.held_iteration && ++calls == 2) {
      throw std::domain_error("mine");
    }
    bench.collector.launch("k", 1000);
  });
  BOOST_CHECK_THROW((void)bench.measure(thrower), std::domain_error);
  BOOST_TEST(!bench.stage.held_iteration.has_value());
  BOOST_TEST(bench.collector.abandoned == 1);
}

BOOST_AUTO_TEST_CASE(the_device_idles_in_proportion_to_the_call_and_within_a_bound) {
  Bench bench;
  const Measured one = bench.measure(bench.kernel("k", 30'000));
  BOOST_TEST(one.measurement.pacing == 1);
  BOOST_TEST(std::count(bench.stage.idles_ns.begin(), bench.stage.idles_ns.end(), 30'000) == 400);  // warm-up included
  Bench twice;
  BenchOptions options;
  options.pacing = 2;
  BOOST_TEST(twice.measure(twice.kernel("k", 30'000), options).measurement.pacing == 2);
  BOOST_TEST(std::count(twice.stage.idles_ns.begin(), twice.stage.idles_ns.end(), 60'000) == 400);
  Bench endless;
  (void)endless.measure(endless.kernel("k", 1'000'000'000));
  const auto longest = *std::max_element(endless.stage.idles_ns.begin(), endless.stage.idles_ns.end());
  BOOST_TEST(longest == 400'000'000 / 200);
}

BOOST_AUTO_TEST_CASE(the_clock_may_recover_before_anything_is_timed) {
  Bench bench;
  (void)bench.measure(bench.kernel("k", 1000));
  BOOST_TEST(bench.stage.clock_waits == 1);
  BOOST_TEST(bench.steps.front() == "clock");
}

BOOST_AUTO_TEST_CASE(method_1_is_neither_held_nor_probed_nor_paced) {
  Bench bench;
  BenchOptions options;
  options.protocol = Protocol::method_1;
  const Measured one = bench.measure(bench.kernel("k", 30'000), options);
  BOOST_TEST((one.measurement.launch == Launch::direct));
  BOOST_TEST(one.measurement.launch_reason.empty());
  BOOST_TEST(one.measurement.pacing == 0);
  BOOST_TEST(!one.measurement.samples.front().sm_mhz.has_value());
  BOOST_TEST(bench.collector.plans.size() == 1U);
  BOOST_TEST(bench.stage.holds == 0);
  BOOST_TEST(bench.stage.clock_waits == 0);
}

BOOST_AUTO_TEST_CASE(a_probe_without_a_record_means_that_tracing_was_disturbed) {
  Bench bench;
  bench.collector.swallow = "clock_probe";
  bench.collector.swallow_after = 20;  // the op disables an activity kind in its sixth call
  BOOST_CHECK_NO_THROW([&] {
    const Measured one = bench.measure(bench.kernel("k", 1000));
    BOOST_REQUIRE_EQUAL(one.issues.size(), 1U);
    BOOST_TEST((one.issues.front().kind == ErrorKind::unproven));
    BOOST_TEST(says(one.issues.front().text, "changed what is traced"));
  }());
}

BOOST_AUTO_TEST_SUITE_END()
