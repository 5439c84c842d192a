#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <string>

#include "collect/trace.hpp"
#include "core/attribution.hpp"
#include "opgate/error.hpp"
#include "sample_trace.hpp"

using namespace opgate;
using namespace opgate::collect;

namespace {

std::string refusal(const Trace& trace) {
  try {
    static_cast<void>(parse_trace(format_trace(trace), "t.jsonl"));
  } catch (const Error& error) {
    BOOST_TEST((error.kind() == ErrorKind::trace));
    BOOST_TEST(error.where().starts_with("t.jsonl:"));
    BOOST_TEST(!error.remedy().empty());
    return error.summary();
  }
  return "read";
}

core::Record& work_of(Trace& trace) {
  return trace.phases[0].records.buffers[0][2];
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hostile)

// Attribution keeps a figure for each device and iteration.
BOOST_AUTO_TEST_CASE(iterations_and_devices_are_bounded) {
  Trace trace = test::sample_trace(2);
  trace.phases[0].plan.iterations = 1'000'000;
  BOOST_TEST(refusal(trace) == "read");
  trace.phases[0].plan.iterations = 1'000'001;
  BOOST_TEST(refusal(trace) == "1000001 iterations, outside 0 to 1000000");
  trace.phases[0].plan.iterations = -1;
  BOOST_TEST(refusal(trace) == "-1 iterations, outside 0 to 1000000");
  trace = test::sample_trace(2);
  work_of(trace).device_id = 63;
  BOOST_TEST(refusal(trace) == "read");
  work_of(trace).device_id = 64;
  BOOST_TEST(refusal(trace) == "device 64, of at most 64");
}

// Or their sum would not fit an integer.
BOOST_AUTO_TEST_CASE(work_of_more_than_an_hour_is_refused) {
  constexpr std::int64_t kHour = 3'600'000'000'000;
  Trace trace = test::sample_trace(2);
  work_of(trace).end_ns = work_of(trace).start_ns + kHour;
  BOOST_TEST(refusal(trace) == "read");
  ++work_of(trace).end_ns;
  BOOST_TEST(refusal(trace) == "work of 3600000000001 ns, more than an hour");
  work_of(trace).start_ns = 1;
  work_of(trace).end_ns = INT64_MAX;
  BOOST_TEST(refusal(trace).starts_with("work of "));
}

// Times that were lost have a finding of their own, whatever they hold.
BOOST_AUTO_TEST_CASE(lost_times_are_read_and_found) {
  for (const auto& [start, end] : {std::pair<std::int64_t, std::int64_t>{0, INT64_MAX},
                                   {INT64_MIN, INT64_MAX},
                                   {INT64_MAX, INT64_MIN},
                                   {test::kStart, 0}}) {
    Trace trace = test::sample_trace(2);
    core::Record& work = trace.phases[0].records.buffers[0][5];
    work.start_ns = start;
    work.end_ns = end;
    const Trace read = parse_trace(format_trace(trace), "t.jsonl");
    BOOST_TEST((read.phases == trace.phases));
    const core::Reading reading =
        core::read_phase(read.phases[0].records, {test::kExternalKind, test::kNonce, 2, false});
    BOOST_TEST(reading.samples.empty());
    BOOST_REQUIRE(!reading.issues.empty());
    BOOST_TEST((reading.issues.front().kind == ErrorKind::timestamps_lost));
  }
}

BOOST_AUTO_TEST_CASE(a_clock_faster_than_any_is_refused) {
  Trace trace = test::sample_trace(2);
  trace.phases[0].records.stage.clocks = {{30'016, 15'168}, {101'000, 1'000}};
  BOOST_TEST(refusal(trace) == "101000 cycles in 1000 ns");
  trace.phases[0].records.stage.clocks = {{-1, 0}, {0, -1}};
  BOOST_TEST(refusal(trace) == "read");
}

BOOST_AUTO_TEST_SUITE_END()
