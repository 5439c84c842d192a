#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "collect/trace.hpp"
#include "core/attribution.hpp"
#include "opgate/error.hpp"
#include "sample_trace.hpp"

using namespace opgate;
using namespace opgate::collect;

namespace {

std::vector<std::int64_t> busy(const core::Reading& reading) {
  std::vector<std::int64_t> result;
  for (const Sample& sample : reading.samples) result.push_back(sample.busy_ns);
  return result;
}

// Through text and through the collector, as a replayed case does it.
core::Reading reading_of(const Trace& trace) {
  const auto collector = make_replaying_collector(parse_trace(format_trace(trace), "t.jsonl"));
  collector->start();
  TracePhase phase = trace.phases.at(0);
  phase.nonce = collector->begin_phase(phase.plan);
  phase.records = collector->end_phase({});
  return test::read(phase);
}

core::Record& record(Trace& trace, core::RecordKind kind, std::uint32_t correlation) {
  for (auto& buffer : trace.phases[0].records.buffers) {
    for (auto& one : buffer) {
      if (one.kind == kind && one.correlation_id == correlation) return one;
    }
  }
  throw std::logic_error("no such record");
}

void check_mismatch(Collector& collector, const PhasePlan& plan, const std::string& what) {
  BOOST_CHECK_EXCEPTION((void)collector.begin_phase(plan), Error, [&](const Error& error) {
    BOOST_TEST_MESSAGE(error.what());
    return error.kind() == ErrorKind::trace && std::string(error.what()).find("phase 1") != std::string::npos &&
           std::string(error.what()).find(what) != std::string::npos;
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(replay)

BOOST_AUTO_TEST_CASE(figures_are_those_of_the_records) {
  const core::Reading reading = reading_of(test::sample_trace(4));
  BOOST_TEST(reading.issues.empty());
  BOOST_TEST(busy(reading) == (std::vector<std::int64_t>{1500, 1501, 1502, 1503}), boost::test_tools::per_element());
  BOOST_TEST(reading.samples.at(2).latency_ns == 5500);
}

BOOST_AUTO_TEST_CASE(flipping_one_correlation_id_changes_the_result) {
  const auto before = busy(reading_of(test::sample_trace(4)));
  Trace trace = test::sample_trace(4);
  // The kernel of iteration 0 now claims the launch of iteration 1.
  record(trace, core::RecordKind::kernel, 101).correlation_id = 104;
  const core::Reading swapped = reading_of(trace);
  BOOST_TEST((!swapped.issues.empty() || busy(swapped) != before));
  trace = test::sample_trace(4);
  record(trace, core::RecordKind::external, 101).correlation_id = 9999;
  const core::Reading orphaned = reading_of(trace);
  BOOST_REQUIRE(!orphaned.issues.empty());
  BOOST_TEST((orphaned.issues[0].kind == ErrorKind::off_thread_launch));
}

BOOST_AUTO_TEST_CASE(dropping_one_record_is_an_error) {
  for (const auto kind : {core::RecordKind::external, core::RecordKind::kernel}) {
    Trace trace = test::sample_trace(4);
    for (auto& buffer : trace.phases[0].records.buffers) {
      std::erase_if(buffer, [kind](const core::Record& one) {
        // For the kernel both of iteration 1: one of two is only missed when CUPTI counts it.
        return one.kind == kind &&
               (one.correlation_id == 104 || (kind == core::RecordKind::kernel && one.correlation_id == 105));
      });
    }
    BOOST_TEST(!reading_of(trace).issues.empty());
  }
  Trace counted = test::sample_trace(4);
  counted.phases[0].records.dropped = 1;
  BOOST_REQUIRE(!reading_of(counted).issues.empty());
  BOOST_TEST((reading_of(counted).issues[0].kind == ErrorKind::records_lost));
}

BOOST_AUTO_TEST_CASE(swapping_two_buffers_changes_nothing) {
  Trace trace = test::sample_trace(4);
  const auto before = busy(reading_of(trace));
  std::swap(trace.phases[0].records.buffers[0], trace.phases[0].records.buffers[1]);
  const core::Reading reading = reading_of(trace);
  BOOST_TEST(reading.issues.empty());
  BOOST_TEST(busy(reading) == before, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_recording_of_a_replay_is_the_trace) {
  const Trace original = test::sample_trace(4);
  const auto replaying = make_replaying_collector(original);
  Trace copy;
  const auto recording = make_recording_collector(*replaying, copy);
  recording->start();
  BOOST_TEST(recording->begin_phase(original.phases[0].plan) == test::kNonce);
  recording->push(1);
  recording->pop(1);
  BOOST_TEST((recording->end_phase({}) == original.phases[0].records));
  BOOST_TEST((copy.phases == original.phases));
  BOOST_TEST(copy.external_kind == test::kExternalKind);
}

BOOST_AUTO_TEST_CASE(more_records_than_wanted_leave_none_and_pass_through_whole) {
  Trace original = test::sample_trace(4);
  original.phases.push_back(original.phases[0]);
  original.phases[1].plan.pass = 1;
  for (const std::size_t most : {std::size_t{36}, std::size_t{71}, std::size_t{72}}) {
    const auto replaying = make_replaying_collector(original);
    Trace copy;
    const auto recording = make_recording_collector(*replaying, copy, most);
    for (const TracePhase& phase : original.phases) {
      (void)recording->begin_phase(phase.plan);
      BOOST_TEST((recording->end_phase({}) == phase.records));
    }
    BOOST_TEST(copy.phases.size() == (most == 72 ? 2U : 0U));
  }
}

BOOST_AUTO_TEST_CASE(an_abandoned_phase_is_not_recorded) {
  const Trace original = test::sample_trace(4);
  const auto replaying = make_replaying_collector(original);
  Trace copy;
  const auto recording = make_recording_collector(*replaying, copy);
  BOOST_TEST(recording->begin_phase(original.phases[0].plan) == test::kNonce);
  recording->push(1);
  recording->abandon_phase();
  BOOST_TEST(copy.phases.empty());
  BOOST_CHECK_THROW((void)recording->end_phase({}), Error);
}

BOOST_AUTO_TEST_CASE(another_phase_than_the_recorded_one_is_refused_by_name) {
  const Trace trace = test::sample_trace(4);
  std::vector<PhasePlan> others(6, trace.phases[0].plan);
  others[0].kind = PhaseKind::warmup;
  others[1].implementation = "cublas";
  others[2].pass = 1;
  others[3].attempt = 2;
  others[4].iterations = 5;
  others[5].drained = true;
  const std::vector<std::string> said{"warmup of ours", "measure of cublas", "pass 1",
                                      "attempt 2",      "5 iterations",      "4 iterations, drained"};
  for (std::size_t i = 0; i < others.size(); ++i) {
    check_mismatch(*make_replaying_collector(trace), others[i], said[i]);
  }
  PhasePlan other_buffers = trace.phases[0].plan;
  other_buffers.buffer_bytes *= 4;
  BOOST_TEST(make_replaying_collector(trace)->begin_phase(other_buffers) == test::kNonce);
}

BOOST_AUTO_TEST_CASE(a_drained_phase_is_offered_where_one_was_recorded) {
  Trace trace = test::sample_trace(4);
  trace.phases.push_back(trace.phases[0]);
  trace.phases[1].plan.drained = true;
  const auto collector = make_replaying_collector(trace);
  Trace copy;
  const auto recording = make_recording_collector(*collector, copy);
  BOOST_TEST(!recording->can_drain());
  (void)recording->begin_phase(trace.phases[0].plan);
  (void)recording->end_phase({});
  BOOST_TEST(recording->can_drain());
  (void)recording->begin_phase(trace.phases[1].plan);
  (void)recording->end_phase({});
  BOOST_TEST(!recording->can_drain());
}

BOOST_AUTO_TEST_CASE(more_phases_than_recorded_are_refused) {
  Trace trace = test::sample_trace(4);
  const PhasePlan plan = trace.phases[0].plan;
  trace.phases.clear();
  check_mismatch(*make_replaying_collector(trace), plan, "only 0 phases");
}

BOOST_AUTO_TEST_CASE(unbalanced_labels_are_noticed_in_a_replay_too) {
  const auto collector = make_replaying_collector(test::sample_trace(4));
  collector->push(1);
  BOOST_CHECK_EXCEPTION(collector->pop(2), Error,
                        [](const Error& error) { return error.kind() == ErrorKind::attribution; });
}

BOOST_AUTO_TEST_SUITE_END()
