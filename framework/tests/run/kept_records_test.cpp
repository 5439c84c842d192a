#include "run/kept_records.hpp"

#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "collect/sample_trace.hpp"
#include "device/environment.hpp"
#include "run/record_memory.hpp"
#include "text/file.hpp"

using namespace opgate;
namespace fs = std::filesystem;

namespace {

store::CaseResult failed_result() {
  store::CaseResult result;
  result.identity.name = "add.small.f32";
  result.run_id = 7;
  result.attempts.resize(3);
  for (core::Attempt& attempt : result.attempts) attempt.status = core::Status::measured;
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(kept_records)

BOOST_AUTO_TEST_CASE(what_a_worker_leaves_is_what_its_supervisor_takes) {
  const run::RecordMemory memory;
  BOOST_REQUIRE(memory.descriptor() >= 0);
  BOOST_TEST(memory.take().empty());
  const collect::Trace trace = test::sample_trace(10);
  run::leave_records(memory.descriptor(), trace);
  BOOST_TEST((memory.take() == collect::format_trace(trace)));
  BOOST_TEST((memory.take() == collect::format_trace(trace)));
}

BOOST_AUTO_TEST_CASE(nothing_is_left_of_a_trace_without_phases_or_with_too_many_records) {
  const run::RecordMemory memory;
  collect::Trace trace = test::sample_trace(10);
  trace.phases[0].records.buffers[0].resize(run::kMostKeptRecords + 1);
  run::leave_records(memory.descriptor(), trace);
  BOOST_TEST(memory.take().empty());
  trace.phases.clear();
  run::leave_records(memory.descriptor(), trace);
  BOOST_TEST(memory.take().empty());
}

BOOST_AUTO_TEST_CASE(names_that_no_trace_can_hold_cost_the_records_alone) {
  const run::RecordMemory memory;
  collect::Trace trace = test::sample_trace(10);
  trace.phases[0].records.kernels[0].name = "\xff";
  run::leave_records(memory.descriptor(), trace);
  BOOST_TEST(memory.take().empty());
}

BOOST_AUTO_TEST_CASE(a_closed_descriptor_costs_nothing_but_the_records) {
  run::leave_records(-1, test::sample_trace(10));
  run::RecordMemory memory;
  const run::RecordMemory taken = std::move(memory);
  BOOST_TEST(taken.descriptor() >= 0);
}

BOOST_FIXTURE_TEST_CASE(the_newest_failure_replaces_the_one_before, test::Folder) {
  const fs::path history = path / "replay.sqlite";
  collect::Trace trace = test::sample_trace(10);
  const run::KeptRecords first = run::keep_records(history, failed_result(), collect::format_trace(trace));
  BOOST_TEST(first.trace == path / "replay.timelines" / "add.small.f32.trace.jsonl");
  const std::string drawn = text::read_file(first.timeline, ErrorKind::io);
  BOOST_TEST(drawn.find("\"run\":\"7\"") != std::string::npos);
  trace.phases[0].records.buffers[0][2].end_ns += 1;
  const run::KeptRecords second = run::keep_records(history, failed_result(), collect::format_trace(trace));
  BOOST_TEST(second.trace == first.trace);
  BOOST_TEST((collect::read_trace(second.trace).phases == trace.phases));
  BOOST_TEST(text::read_file(second.timeline, ErrorKind::io) != drawn);
}

BOOST_FIXTURE_TEST_CASE(half_a_trace_is_an_error_and_keeps_what_was_there, test::Folder) {
  const fs::path history = path / "history.sqlite";
  const std::string whole = collect::format_trace(test::sample_trace(10));
  const run::KeptRecords kept = run::keep_records(history, failed_result(), whole);
  BOOST_CHECK_THROW((void)run::keep_records(history, failed_result(), whole.substr(0, whole.size() / 2)), Error);
  BOOST_TEST((text::read_file(kept.trace, ErrorKind::io) == whole));
}

BOOST_AUTO_TEST_CASE(the_attempt_without_a_number_explains_a_failure) {
  store::CaseResult result = failed_result();
  BOOST_TEST(run::attempt_to_explain(result) == 0U);
  result.attempts[1].status = core::Status::untrusted;
  BOOST_TEST(run::attempt_to_explain(result) == 1U);
}

BOOST_AUTO_TEST_CASE(a_trace_belongs_to_the_attempt_in_which_it_was_recorded) {
  store::CaseResult result = failed_result();
  result.attempts[2].started_unix_ms = 5'000;
  result.attempts[2].wall_ns = 300'000'000;
  collect::Trace trace;
  const auto belongs = [&](std::int64_t recorded_ms) {
    trace.recorded_unix_ms = recorded_ms;
    return run::belongs_to(trace, result);
  };
  BOOST_TEST(belongs(5'000));
  BOOST_TEST(belongs(5'300));
  BOOST_TEST(!belongs(4'999));
  BOOST_TEST(!belongs(5'302));
}

BOOST_AUTO_TEST_SUITE_END()
