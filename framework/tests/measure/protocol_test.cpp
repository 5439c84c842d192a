#include "measure/protocol.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <stdexcept>
#include <string>

#include "measure/fakes.hpp"

using namespace opgate;
using opgate::measure::Measured;

namespace {

// Direct, neither probed nor paced: what every protocol shares. queued_test.cpp has the rest of opgate-1.
struct Bench {
  explicit Bench(double cost_ns = 50'000) : stage(cost_ns, collector) {}

  std::vector<Measured> measure(const std::vector<Candidate>& candidates, BenchOptions options = {}) {
    options.launch = Launch::direct;
    options.pacing = 0;
    options.probe_clock = false;
    return measure::measure_candidates(collector, stage, candidates, options,
                                       [&](std::string_view step) { steps.emplace_back(step); });
  }
  Candidate kernel(const std::string& name, std::int64_t duration_ns) {
    return {
        .name = name, .run = [this, name, duration_ns](Stream) { collector.launch(name, duration_ns); }, .reset = {}};
  }

  test::FakeCollector collector;
  test::FakeStage stage;
  std::vector<std::string> steps;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(protocol)

BOOST_AUTO_TEST_CASE(one_sample_per_iteration_of_what_the_call_launched) {
  Bench bench;
  const auto all = bench.measure({bench.kernel("k", 2048)});
  BOOST_REQUIRE_EQUAL(all.size(), 1U);
  BOOST_REQUIRE(all[0].issues.empty());
  BOOST_TEST(all[0].measurement.samples.size() == 200U);
  for (const Sample& sample : all[0].measurement) {
    BOOST_TEST(sample.busy_ns == 2048);
    BOOST_TEST(sample.n_kernels.value() == 1);
  }
  BOOST_TEST(all[0].measurement.pass_medians_ns == std::vector<double>{2048}, boost::test_tools::per_element());
  BOOST_TEST(all[0].group_names == std::vector<std::string>{"k"}, boost::test_tools::per_element());
  BOOST_TEST(all[0].kernels.at(0).name == "k");
}

BOOST_AUTO_TEST_CASE(counts_come_from_three_calls_and_are_clamped) {
  Bench cheap(0);
  BOOST_TEST(cheap.measure({cheap.kernel("k", 2000)})[0].measurement.size() == 200U);
  BOOST_TEST(cheap.stage.calibration_calls == 3);
  Bench huge(1e12);
  const auto all = huge.measure({huge.kernel("k", 2000)});
  BOOST_TEST(all[0].measurement.size() == 10U);
  BOOST_TEST(all[0].measurement.warmup_iterations == 10);
  Bench middle(1e6);  // 100 ms / 1 ms, 25 ms / 1 ms
  const auto some = middle.measure({middle.kernel("k", 2000)});
  BOOST_TEST(some[0].measurement.size() == 100U);
  BOOST_TEST(some[0].measurement.warmup_iterations == 25);
}

BOOST_AUTO_TEST_CASE(a_comparison_runs_a_b_c_c_b_a_with_half_of_everything) {
  Bench bench(0);
  const auto all = bench.measure({bench.kernel("a", 1000), bench.kernel("b", 2000), bench.kernel("c", 3000)});
  std::string order;
  for (const auto& plan : bench.collector.plans) {
    order += plan.implementation;
    BOOST_TEST(plan.iterations == 100);
  }
  BOOST_TEST(order == "abccba");
  for (const Measured& one : all) {
    BOOST_TEST(one.measurement.size() == 200U);
    BOOST_TEST(one.measurement.pass_medians_ns.size() == 2U);
    BOOST_TEST(one.measurement.warmup_iterations == 100);
  }
  Bench huge(1e12);
  const auto few = huge.measure({huge.kernel("a", 1000), huge.kernel("b", 2000)});
  BOOST_TEST(few[0].measurement.size() == 10U);
}

BOOST_AUTO_TEST_CASE(an_explicit_count_is_kept_and_split) {
  Bench bench;
  BenchOptions options;
  options.iterations = 7;
  BOOST_TEST(bench.measure({bench.kernel("a", 1000)}, options)[0].measurement.size() == 7U);
  const auto both = bench.measure({bench.kernel("a", 1000), bench.kernel("b", 1000)}, options);
  BOOST_TEST(both[0].measurement.size() == 7U);
  options.iterations = 1;  // each pass needs at least one
  BOOST_TEST(bench.measure({bench.kernel("a", 1000), bench.kernel("b", 1000)}, options)[0].measurement.size() == 2U);
}

BOOST_AUTO_TEST_CASE(reset_then_flush_are_preparation_and_in_no_reading) {
  Bench bench;
  std::vector<std::string> order;
  bool all_labelled = true;
  Candidate candidate = bench.kernel("k", 1000);
  candidate.reset = [&](Stream) {
    order.emplace_back("reset");
    all_labelled = all_labelled && (!bench.collector.labelled() || bench.collector.preparing());
    bench.collector.launch("reset_kernel", 70'000);
  };
  bench.stage.on_flush = [&] {
    order.emplace_back("flush");
    all_labelled = all_labelled && (!bench.collector.labelled() || bench.collector.preparing());
    bench.collector.launch("flush_kernel", 40'000);
  };
  BenchOptions options;
  options.iterations = 5;
  const auto all = bench.measure({candidate}, options);
  BOOST_REQUIRE(all[0].issues.empty());
  BOOST_TEST(all_labelled);
  BOOST_TEST(order.at(0) == "reset");
  BOOST_TEST(order.at(1) == "flush");
  BOOST_TEST(all[0].measurement.median_busy_ns() == 1000);
}

BOOST_AUTO_TEST_CASE(the_protocol_chooses_the_flush_unless_told) {
  Bench read;
  BOOST_TEST((read.measure({read.kernel("k", 1000)})[0].measurement.flush == Flush::read));
  Bench memset;
  BenchOptions options;
  options.protocol = Protocol::method_1;
  BOOST_TEST((memset.measure({memset.kernel("k", 1000)}, options)[0].measurement.flush == Flush::memset));
  BOOST_TEST((memset.stage.flushes.front() == Flush::memset));
  options.flush = Flush::none;
  Bench none;
  BOOST_TEST((none.measure({none.kernel("k", 1000)}, options)[0].measurement.flush == Flush::none));
}

BOOST_AUTO_TEST_CASE(every_iteration_is_drained) {
  Bench bench(1e12);
  (void)bench.measure({bench.kernel("k", 1000)});
  BOOST_TEST(bench.stage.drains >= 20);  // ten warm-up and ten measured iterations
}

BOOST_AUTO_TEST_CASE(lossy_then_clean_keeps_the_clean_attempt_only) {
  Bench bench;
  bench.collector.drops = {4, 0};
  const auto all = bench.measure({bench.kernel("k", 1000)});
  BOOST_REQUIRE(all[0].issues.empty());
  BOOST_TEST(all[0].measurement.size() == 200U);
  BOOST_TEST(all[0].measurement.retries == 1);
  BOOST_REQUIRE_EQUAL(bench.collector.plans.size(), 2U);
  BOOST_TEST(bench.collector.plans[1].buffer_bytes == 4 * bench.collector.plans[0].buffer_bytes);
}

BOOST_AUTO_TEST_CASE(always_lossy_is_an_issue_after_three_attempts_and_no_number) {
  Bench bench;
  bench.collector.drops = {5, 6, 7};
  const auto all = bench.measure({bench.kernel("k", 1000)});
  BOOST_REQUIRE_EQUAL(all[0].issues.size(), 1U);
  BOOST_TEST((all[0].issues[0].kind == ErrorKind::records_lost));
  BOOST_TEST(all[0].issues[0].text.find('7') != std::string::npos);
  BOOST_TEST(all[0].measurement.samples.empty());
  BOOST_REQUIRE_EQUAL(bench.collector.plans.size(), 3U);
  BOOST_TEST(bench.collector.plans[2].buffer_bytes == 16 * bench.collector.plans[0].buffer_bytes);
}

BOOST_AUTO_TEST_CASE(a_call_that_launches_nothing_is_not_tried_again) {
  Bench bench;
  const auto all = bench.measure({Candidate{.name = "empty", .run = [](Stream) {}, .reset = {}}});
  BOOST_REQUIRE(!all[0].issues.empty());
  BOOST_TEST((all[0].issues[0].kind == ErrorKind::attribution));
  BOOST_TEST(bench.collector.plans.size() == 1U);
}

BOOST_AUTO_TEST_CASE(the_first_issue_ends_the_comparison) {
  Bench bench;
  const auto all = bench.measure(
      {bench.kernel("a", 1000), Candidate{.name = "b", .run = [](Stream) {}, .reset = {}}, bench.kernel("c", 1)});
  BOOST_TEST(bench.collector.plans.size() == 2U);
  BOOST_TEST(all[0].issues.empty());
  BOOST_TEST(!all[1].issues.empty());
}

BOOST_AUTO_TEST_CASE(an_exception_of_the_call_passes_unchanged_and_leaves_nothing_labelled) {
  Bench bench;
  int calls = 0;
  const Candidate thrower{.name = "thrower",
                          .run =
                              [&](Stream) {
                                if (bench.collector.labelled() && ++calls == 3) {
                                  throw std::domain_error("mine");
                                }
                                bench.collector.launch("k", 1000);
                              },
                          .reset = {}};
  BOOST_CHECK_EXCEPTION((void)bench.measure({thrower}), std::domain_error,
                        [](const std::domain_error& error) { return std::string(error.what()) == "mine"; });
  BOOST_TEST(bench.collector.abandoned == 1);
  BOOST_TEST(!bench.collector.labelled());
}

BOOST_AUTO_TEST_CASE(events_only_on_request_and_tagged) {
  Bench bench;
  BenchOptions options;
  options.timing = Timing::cuda_events;
  options.iterations = 4;
  const auto all = bench.measure({bench.kernel("k", 1000)}, options);
  BOOST_TEST(bench.collector.plans.empty());
  BOOST_TEST((all[0].measurement.timing == Timing::cuda_events));
  BOOST_REQUIRE_EQUAL(all[0].measurement.size(), 4U);
  BOOST_TEST(all[0].measurement.samples[0].busy_ns == 5000);
  BOOST_TEST(all[0].measurement.samples[0].latency_ns == 5000);
  BOOST_TEST(!all[0].measurement.samples[0].n_kernels.has_value());
}

BOOST_AUTO_TEST_CASE(groups_of_both_passes_are_numbered_alike) {
  Bench bench;
  int call = 0;
  const Candidate alternating{.name = "alt",
                              .run =
                                  [&](Stream) {
                                    bench.collector.launch("one", 1000);
                                    if (call++ % 3 == 0) {
                                      bench.collector.launch("two", 1000);
                                    }
                                  },
                              .reset = {}};
  BenchOptions options;
  options.iterations = 20;
  const auto all = bench.measure({alternating, bench.kernel("k", 500)}, options);
  BOOST_REQUIRE(all[0].issues.empty());
  BOOST_REQUIRE_EQUAL(all[0].group_names.size(), 2U);
  for (const Sample& sample : all[0].measurement) {
    const std::string& name = all[0].group_names.at(sample.group);
    BOOST_TEST(name == (sample.n_kernels == 2 ? "one + two" : "one"));
  }
}

// Two instances of one template have one short name, but are not the same kernel.
BOOST_AUTO_TEST_CASE(instances_of_one_template_are_groups_of_their_own) {
  Bench bench;
  int call = 0;
  const Candidate alternating{.name = "alt",
                              .run =
                                  [&](Stream) {
                                    const bool wide = call++ % 2 == 0;
                                    bench.collector.launch(wide ? "_Z4tileILi256EEvPf" : "_Z4tileILi64EEvPf",
                                                           wide ? 9000 : 3000);
                                  },
                              .reset = {}};
  const auto all = bench.measure({alternating});
  BOOST_REQUIRE_EQUAL(all[0].group_names.size(), 2U);
  for (const Sample& sample : all[0].measurement) {
    BOOST_TEST(all[0].group_names.at(sample.group) == (sample.busy_ns == 9000 ? "tile<256>" : "tile<64>"));
  }
}

BOOST_AUTO_TEST_CASE(another_instance_in_the_second_pass_is_another_group) {
  Bench bench;
  const Candidate switching{.name = "switch",
                            .run =
                                [&](Stream) {
                                  const bool second = bench.collector.plans.size() > 2;
                                  bench.collector.launch(second ? "_Z4tileILi256EEvPf" : "_Z4tileILi64EEvPf", 3000);
                                },
                            .reset = {}};
  const auto all = bench.measure({switching, bench.kernel("k", 500)});
  BOOST_TEST(all[0].group_names == (std::vector<std::string>{"tile<64>", "tile<256>"}),
             boost::test_tools::per_element());
  BOOST_TEST(all[0].measurement.samples.front().group == 0U);
  BOOST_TEST(all[0].measurement.samples.back().group == 1U);
}

BOOST_AUTO_TEST_CASE(nothing_to_measure_is_an_error) {
  Bench bench;
  BOOST_CHECK_THROW((void)bench.measure({}), Error);
}

BOOST_AUTO_TEST_CASE(options_that_cannot_be_kept_are_refused) {
  const auto refused = [](const auto& change) {
    Bench bench;
    BenchOptions options;
    change(options);
    const auto measure = [&] {
      return measure::measure_candidates(bench.collector, bench.stage, {bench.kernel("k", 2000)}, options, [](auto) {});
    };
    BOOST_CHECK_EXCEPTION((void)measure(), Error, [](const Error& error) {
      return error.kind() == ErrorKind::usage && !error.remedy().empty();
    });
    BOOST_TEST(bench.collector.plans.empty());
  };
  refused([](BenchOptions& o) {  // a row must not say what was not done
    o.launch = Launch::queued;
    o.protocol = Protocol::method_1;
  });
  refused([](BenchOptions& o) {
    o.launch = Launch::queued;
    o.timing = Timing::cuda_events;
  });
  refused([](BenchOptions& o) {
    o.pacing = 1;
    o.timing = Timing::cuda_events;
  });
  refused([](BenchOptions& o) { o.pacing = -1; });
  refused([](BenchOptions& o) { o.pacing = std::nan(""); });
  refused([](BenchOptions& o) { o.iterations = 0; });
  refused([](BenchOptions& o) { o.min_iterations = 0; });
  refused([](BenchOptions& o) { o.min_iterations = o.max_iterations + 1; });
  refused([](BenchOptions& o) { o.measure_budget_ns = -1; });
  refused([](BenchOptions& o) { o.warmup_budget_ns = -1; });
  refused([](BenchOptions& o) { o.buffer_bytes = 0; });  // nothing to grow in a retry
}

BOOST_AUTO_TEST_SUITE_END()
