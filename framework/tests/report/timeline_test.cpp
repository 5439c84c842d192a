#include "report/timeline.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "collect/sample_trace.hpp"
#include "report/samples.hpp"
#include "report/trace_event_reader.hpp"

namespace opgate::report::test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const fs::path kTraces = fs::path(OPGATE_TEST_DATA) / "traces";

collect::Trace recorded(const std::string& name) {
  return collect::read_trace(kTraces / (name + ".trace.jsonl"));
}

using Key = std::tuple<std::int64_t, std::int64_t, std::uint32_t>;  // start, end, correlation

// Every record of the phase that has times, from the earliest shown one on.
std::multiset<Key> keys_of(const collect::TracePhase& phase, std::int64_t origin,
                           const std::function<bool(const core::Record&)>& wanted) {
  std::multiset<Key> keys;
  for (const core::RecordBuffer& buffer : phase.records.buffers) {
    for (const core::Record& record : buffer) {
      const bool drawn =
          record.kind != core::RecordKind::external && record.start_ns > 0 && record.end_ns >= record.start_ns;
      if (drawn && wanted(record)) {
        keys.emplace(record.start_ns - origin, record.end_ns - origin, record.correlation_id);
      }
    }
  }
  return keys;
}

std::multiset<Key> keys_of(const Loaded& loaded) {
  std::multiset<Key> keys;
  for (const auto& [row, slices] : loaded.rows) {
    for (const Slice& slice : slices) {
      if (slice.args.contains("correlation")) {
        keys.emplace(slice.start_ns, slice.end_ns, slice.args["correlation"].get<std::uint32_t>());
      }
    }
  }
  return keys;
}

std::map<std::uint32_t, std::uint32_t> labels_of(const collect::TracePhase& phase) {
  std::map<std::uint32_t, std::uint32_t> labels;
  for (const core::RecordBuffer& buffer : phase.records.buffers) {
    for (const core::Record& record : buffer) {
      if (record.kind == core::RecordKind::external && (record.external_id >> 32U) == phase.nonce) {
        labels[record.correlation_id] = static_cast<std::uint32_t>(record.external_id);
      }
    }
  }
  return labels;
}

void for_each_phase(const std::function<void(const collect::Trace&, std::size_t)>& body) {
  int phases = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kTraces)) {
    if (entry.path().string().find(".trace.jsonl") == std::string::npos) continue;
    const collect::Trace trace = collect::read_trace(entry.path());
    for (std::size_t phase = 0; phase < trace.phases.size(); ++phase, ++phases) {
      BOOST_TEST_CONTEXT(entry.path().filename().string() << " phase " << phase) body(trace, phase);
    }
  }
  BOOST_TEST(phases > 50);
}

std::vector<std::int64_t> lengths(const std::vector<Slice>& slices) {
  std::vector<std::int64_t> all;
  for (const Slice& slice : slices) all.push_back(slice.end_ns - slice.start_ns);
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(timeline)

// One phase, as a person sees it.
BOOST_AUTO_TEST_CASE(two_streams_of_one_iteration) {
  const collect::Trace trace = recorded("forms/selftest.two-streams.f32");
  TimelineRequest request{.phase = 2};
  request.iteration = 0;
  const std::string text = trace_events(timeline_of(trace, request));
  check_golden("timeline_two_streams.json", text);
  const Loaded loaded(text);
  BOOST_TEST(lengths(loaded.of("step,flush")) == std::vector<std::int64_t>{42766 - 9326});
  BOOST_TEST(lengths(loaded.of("step,hold")) == std::vector<std::int64_t>{52142 - 42766});
  BOOST_TEST(lengths(loaded.of("step,call")) == std::vector<std::int64_t>{83150 - 70094});
  BOOST_TEST(loaded.of("kernel,call").size() == 2U);
  BOOST_TEST(loaded.of("api,call").size() == 2U);
  BOOST_TEST(loaded.begun.size() == 5U);  // flush, two probes, two kernels
  BOOST_TEST(loaded.of("step,iteration").front().args["busy_ns"] == 83150 - 70094);
  BOOST_TEST(loaded.row_names().count("stream 14") + loaded.row_names().count("stream 15") == 2U);
  BOOST_TEST(loaded.clocks == 2);
}

BOOST_AUTO_TEST_CASE(gaps_are_events) {
  TimelineRequest request{.phase = 2};
  request.iteration = 0;
  const Loaded loaded(trace_events(timeline_of(recorded("forms/selftest.three-kernels.f32"), request)));
  const std::vector<Slice> gaps = loaded.of("step,gap");
  const std::vector<std::int64_t> wanted{71095 - 66391, 79095 - 76151, 87479 - 85527, 94135 - 92855};
  BOOST_TEST(lengths(gaps) == wanted, boost::test_tools::per_element());
  BOOST_TEST(gaps.front().name == "before the call");
  BOOST_TEST(gaps.at(1).name == "gap");
  BOOST_TEST(gaps.back().name == "tail");
}

BOOST_AUTO_TEST_CASE(a_whole_phase_shows_every_record_once) {
  for_each_phase([](const collect::Trace& trace, std::size_t phase) {
    const Timeline timeline = timeline_of(trace, {.phase = phase});
    const Loaded loaded(trace_events(timeline));
    check_rows(loaded);
    const auto wanted = keys_of(trace.phases[phase], timeline.origin_ns, [](const core::Record&) { return true; });
    BOOST_TEST((keys_of(loaded) == wanted));
    BOOST_TEST(loaded.facts.at("case") == trace.identity.name);
  });
}

BOOST_AUTO_TEST_CASE(an_iteration_shows_its_own_records_once_and_nothing_of_the_others) {
  for_each_phase([](const collect::Trace& trace, std::size_t index) {
    const collect::TracePhase& phase = trace.phases[index];
    const auto chosen = pick_iteration(trace, index, Pick::median);
    if (!chosen) return;
    TimelineRequest request{.phase = index};
    request.iteration = *chosen;
    const Timeline timeline = timeline_of(trace, request);
    const Loaded loaded(trace_events(timeline));
    check_rows(loaded);
    const auto labels = labels_of(phase);
    const auto owner = [&](std::uint32_t id) {
      const auto label = labels.find(id);
      return label == labels.end() || label->second == core::kPreparation
                 ? std::optional<std::uint32_t>()
                 : std::optional(label->second & core::kIterationMask);
    };
    const auto mine = keys_of(phase, timeline.origin_ns,
                              [&](const core::Record& record) { return owner(record.correlation_id) == *chosen; });
    BOOST_TEST(!mine.empty());
    std::multiset<Key> shown = keys_of(loaded);
    for (const Key& key : mine) BOOST_TEST(shown.count(key) == 1U);
    for (const Key& key : shown) BOOST_TEST(owner(std::get<2>(key)).value_or(*chosen) == *chosen);
    BOOST_TEST(loaded.of("step,iteration").size() == 1U);
  });
}

BOOST_AUTO_TEST_CASE(figures_agree_with_the_reading_of_the_phase) {
  int read = 0;
  for_each_phase([&](const collect::Trace& trace, std::size_t index) {
    const collect::TracePhase& phase = trace.phases[index];
    const core::Reading reading =
        core::read_phase(phase.records, {trace.external_kind, phase.nonce, phase.plan.iterations, true});
    if (!reading.issues.empty() || reading.devices != 1) return;
    const Loaded loaded(trace_events(timeline_of(trace, {.phase = index})));
    const std::vector<Slice> iterations = loaded.of("step,iteration");
    BOOST_REQUIRE_EQUAL(iterations.size(), reading.samples.size());
    for (std::size_t i = 0; i < iterations.size(); ++i) {
      BOOST_TEST(iterations[i].args["busy_ns"] == reading.samples[i].busy_ns);
      BOOST_TEST(iterations[i].args["kernels"] == reading.samples[i].n_kernels.value());
    }
    ++read;
  });
  BOOST_TEST(read > 50);
}

BOOST_AUTO_TEST_CASE(what_belongs_to_no_iteration_is_shown_as_that) {
  const collect::Trace trace = recorded("faults/selftest.off-thread.f32");
  const Loaded loaded(trace_events(timeline_of(trace, {.phase = *deciding_phase(trace, true)})));
  BOOST_TEST(!loaded.of("unlabelled").empty());
}

BOOST_AUTO_TEST_CASE(hidden_work_shows_as_a_long_tail) {
  const collect::Trace trace = recorded("faults/selftest_device.child-kernel.f32");
  const Loaded loaded(trace_events(timeline_of(trace, {.phase = *deciding_phase(trace, true)})));
  std::int64_t longest = 0;
  for (const Slice& gap : loaded.of("step,gap")) {
    if (gap.name == "tail") longest = std::max(longest, gap.end_ns - gap.start_ns);
  }
  BOOST_TEST(longest > 15'000);
}

BOOST_AUTO_TEST_CASE(an_iteration_without_work_says_so) {
  const collect::Trace trace = recorded("faults/selftest.launches-nothing.f32");
  const Loaded loaded(trace_events(timeline_of(trace, {.phase = *deciding_phase(trace, true)})));
  BOOST_TEST(loaded.of("step,iteration").front().name.find("launched nothing") != std::string::npos);
  BOOST_TEST((pick_iteration(trace, *deciding_phase(trace, true), Pick::median) == std::nullopt));
}

BOOST_AUTO_TEST_CASE(a_hold_that_the_watchdog_let_go_is_the_last) {
  collect::Trace trace = recorded("forms/selftest.plain.f32");
  trace.phases[2].records.stage.let_go = {3};
  const std::vector<Slice> holds = Loaded(trace_events(timeline_of(trace, {.phase = 2}))).of("step,hold");
  BOOST_REQUIRE_EQUAL(holds.size(), 4U);
  BOOST_TEST(holds.back().args["released_by"] == "watchdog");
  BOOST_TEST(holds.front().args["released_by"] == "host");
  trace.phases[2].records.stage.hold_refusal = "no stream memory operations";
  BOOST_TEST(Loaded(trace_events(timeline_of(trace, {.phase = 2}))).of("step,hold").empty());
}

BOOST_AUTO_TEST_CASE(a_long_phase_is_cut_to_iterations_around_its_median) {
  const collect::Trace trace = recorded("forms/selftest.plain.f32");
  TimelineRequest request{.phase = 2};
  request.most_records = 50;
  const Loaded loaded(trace_events(timeline_of(trace, request)));
  check_rows(loaded);
  const std::size_t shown = loaded.of("step,iteration").size();
  BOOST_TEST(shown > 1U);
  BOOST_TEST(shown < 20U);
  BOOST_TEST(keys_of(loaded).size() <= 50U);
  BOOST_TEST(loaded.facts.at("iterations_of_phase") == "20");
  const auto iterations = loaded.of("step,iteration");
  BOOST_TEST(std::any_of(iterations.begin(), iterations.end(),
                         [](const Slice& slice) { return slice.name.find("median") != std::string::npos; }));
}

BOOST_AUTO_TEST_CASE(records_without_times_are_counted) {
  collect::Trace trace = opgate::test::sample_trace(10);
  for (core::Record& record : trace.phases[0].records.buffers[0]) {
    if (record.kind == core::RecordKind::kernel && record.name == 2) record.start_ns = record.end_ns = 0;
  }
  const Loaded loaded(trace_events(timeline_of(trace, {.phase = 0})));
  BOOST_TEST(loaded.facts.at("records_without_times") == "5");
}

BOOST_AUTO_TEST_CASE(several_devices_have_rows_of_their_own) {
  collect::Trace trace = opgate::test::sample_trace(10);
  for (core::RecordBuffer& buffer : trace.phases[0].records.buffers) {
    for (core::Record& record : buffer) {
      if (record.kind == core::RecordKind::kernel && record.name == 2) record.device_id = 1;
    }
  }
  const Loaded loaded(trace_events(timeline_of(trace, {.phase = 0})));
  check_rows(loaded);
  BOOST_TEST(loaded.processes.size() == 4U);
  BOOST_TEST(loaded.of("step,gap").empty());  // each device has one kernel a call, and no probe
  BOOST_TEST(loaded.of("step,iteration").at(3).args["busy_ns"] == 1003);
}

BOOST_AUTO_TEST_CASE(overlapping_work_of_one_stream_gets_a_row_more) {
  collect::Trace trace = opgate::test::sample_trace(10);
  for (core::RecordBuffer& buffer : trace.phases[0].records.buffers) {
    for (core::Record& record : buffer) {
      if (record.kind == core::RecordKind::kernel && record.name == 2) record.start_ns -= 5'000;
    }
  }
  const Loaded loaded(trace_events(timeline_of(trace, {.phase = 0})));
  check_rows(loaded);
  BOOST_TEST(loaded.row_names().count("stream 13 (2)") == 1U);
}

BOOST_AUTO_TEST_CASE(hostile_names_stay_json) {
  collect::Trace trace = opgate::test::sample_trace(10);
  trace.phases[0].records.kernels[1].name = "a\"b\\\n</script>\xff<\x01";
  trace.phases[0].records.kernels[2].name = std::string(100'000, 'k');
  const std::string text = trace_events(timeline_of(trace, {.phase = 0}));
  BOOST_TEST(text.size() < 100'000U);
  check_rows(Loaded(text));
}

BOOST_AUTO_TEST_CASE(the_phase_that_decides) {
  const collect::Trace trace = recorded("forms/selftest.recovered-loss.f32");
  const std::size_t kept = *deciding_phase(trace, false);
  BOOST_TEST(trace.phases.at(kept).records.dropped.value() == 0U);
  BOOST_TEST((trace.phases.at(kept).plan.kind == collect::PhaseKind::measure));
  BOOST_TEST(*deciding_phase(trace, true) == trace.phases.size() - 1);
  BOOST_TEST((deciding_phase(collect::Trace{}, true) == std::nullopt));
  const collect::Trace beside_library = recorded("gemm.square-4096.bf16");
  BOOST_TEST(phase_words(beside_library.phases.at(*deciding_phase(beside_library, false))) ==
             "measure of this op, pass 1, 10 iterations, queued");
}

BOOST_AUTO_TEST_CASE(picks_are_iterations_of_that_busy_time) {
  const collect::Trace trace = opgate::test::sample_trace(10);  // iteration i: 1500 + i ns
  BOOST_TEST(*pick_iteration(trace, 0, Pick::median) == 4U);
  BOOST_TEST(*pick_iteration(trace, 0, Pick::slowest) == 9U);
  BOOST_TEST(*pick_iteration(trace, 0, Pick::fastest) == 0U);
}

BOOST_AUTO_TEST_CASE(an_iteration_that_is_not_there_is_an_error) {
  TimelineRequest request{.phase = 0};
  request.iteration = 10;
  BOOST_CHECK_THROW((void)timeline_of(opgate::test::sample_trace(10), request), Error);
}

// Chrome rounds, Perfetto cuts off.
BOOST_AUTO_TEST_CASE(times_are_exact_to_the_ns_in_every_viewer) {
  const auto check = [](std::int64_t ns) {
    const double read = std::strtod(event_time(ns).c_str(), nullptr) * 1000;
    if (static_cast<std::int64_t>(read) != ns || std::llround(read) != ns) BOOST_ERROR(ns << ": " << event_time(ns));
  };
  for (std::int64_t ns = 0; ns < 200'000; ++ns) check(ns);
  for (std::int64_t ns = 1; ns < 40'000'000'000'000; ns = ns * 5 / 4 + 7) check(ns);
  BOOST_TEST(event_time(42766) == "42.766");
  BOOST_TEST(event_time(5) == "0.005");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace opgate::report::test
