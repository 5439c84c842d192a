// A launch of a graph that left fewer records than nearly all others.
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "phase_builder.hpp"

using namespace opgate;
using namespace opgate::core;

BOOST_AUTO_TEST_SUITE(missing_work)

namespace {

constexpr std::uint32_t kGraphLaunch = 3;

// Iterations of one graph of three kernels, all records of a launch under one correlation id; `short_ones` have
// `left_out` of the three too few.
PhaseBuilder graphs(std::uint32_t iterations, const std::set<std::uint32_t>& short_ones, std::uint32_t left_out) {
  PhaseBuilder phase;
  phase.records.names.emplace_back("cudaGraphLaunch");
  phase.records.kernels.push_back({.name = "scale"});
  for (std::uint32_t i = 0; i < iterations; ++i) {
    const std::int64_t start_ns = 1000 + 10'000 * static_cast<std::int64_t>(i);
    const std::uint32_t id = 10 + i;
    phase.api(id, 11, kGraphLaunch);
    phase.label(id, i);
    for (std::uint32_t kernel = short_ones.count(i) != 0 ? left_out : 0; kernel < 3; ++kernel) {
      phase.kernel(start_ns + 1000 * kernel, start_ns + 1000 * kernel + 500, id, kernel);
    }
  }
  return phase;
}

void copies(PhaseBuilder& phase, std::uint32_t iteration, int count) {
  for (int i = 0; i < count; ++i) {
    const std::int64_t start_ns = 5000 + 10'000 * static_cast<std::int64_t>(iteration) + 1000 * i;
    phase.copy(start_ns, start_ns + 500, 10 + iteration, 64);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_graph_that_left_fewer_records_once_gives_no_number) {
  for (const std::uint32_t left_out : {1U, 2U}) {
    const Reading reading = graphs(20, {7}, left_out).read(20);
    const Issue& issue = only_issue(reading, ErrorKind::records_lost);
    BOOST_TEST(says(issue.text, "iteration 7 made the same calls as 19 others"), issue.text);
    BOOST_TEST(says(issue.text, std::to_string(left_out) + " of the 3 kernels"), issue.text);
    BOOST_TEST(says(issue.text, left_out == 1 ? "the first add_kernel(float*)" : "the first"), issue.text);
    BOOST_TEST(!issue.retry);
    BOOST_TEST(reading.groups.empty());
    BOOST_TEST(reading.frames.empty());
  }
  BOOST_TEST(graphs(20, {}, 0).read(20).issues.empty());
}

BOOST_AUTO_TEST_CASE(the_first_call_may_be_the_one_and_calls_of_nobody_count_for_none) {
  PhaseBuilder phase = graphs(20, {0}, 1);
  BOOST_TEST(says(only_issue(phase.read(20), ErrorKind::records_lost).text, "iteration 0 made the same calls"));
  phase.api(500, 11);  // labelled with nothing
  only_issue(phase.read(20), ErrorKind::records_lost);
}

BOOST_AUTO_TEST_CASE(up_to_one_call_in_fifty_may_have_lost_records) {
  only_issue(graphs(5, {2}, 1).read(5), ErrorKind::records_lost);
  only_issue(graphs(100, {3, 70}, 1).read(100), ErrorKind::records_lost);
  BOOST_TEST(graphs(4, {2}, 1).read(4).issues.empty());
  BOOST_TEST(graphs(20, {3, 7}, 1).read(20).issues.empty());
  BOOST_TEST(graphs(99, {3, 70}, 1).read(99).issues.empty());
  BOOST_TEST(graphs(100, {3, 50, 70}, 1).read(100).issues.empty());
}

BOOST_AUTO_TEST_CASE(a_copy_of_a_graph_without_a_record_gives_no_number) {
  PhaseBuilder phase = graphs(20, {}, 0);
  for (std::uint32_t i = 0; i < 20; ++i) copies(phase, i, i == 3 ? 1 : 2);
  const Reading reading = phase.read(20, true);
  const Issue& issue = only_issue(reading, ErrorKind::records_lost);
  BOOST_TEST(says(issue.text, "iteration 3"), issue.text);
  BOOST_TEST(says(issue.text, "1 of the 5 kernels and copies"), issue.text);
  BOOST_TEST(says(issue.text, "the first a copy or memset"), issue.text);

  PhaseBuilder more = graphs(20, {7}, 1);  // a kernel less, but a copy more: other work
  copies(more, 7, 1);
  BOOST_TEST(more.read(20, true).issues.empty());
}

BOOST_AUTO_TEST_CASE(lost_records_are_held_against_every_common_group) {
  PhaseBuilder phase = graphs(120, {}, 0);
  auto& buffer = phase.records.buffers.back();
  std::erase_if(buffer,
                [](const Record& record) {  // half of the calls launch the first kernel alone, as the op means it
                  const std::uint32_t iteration = record.correlation_id - 10;
                  return record.kind == RecordKind::kernel &&
                         ((iteration < 70 && record.name != 0) || (iteration == 100 && record.name == 0));
                });
  const Reading reading = phase.read(120);
  BOOST_TEST(says(only_issue(reading, ErrorKind::records_lost).text, "iteration 100 made the same calls as 49 others"));
}

BOOST_AUTO_TEST_CASE(kernels_without_a_name_are_counted_too) {
  PhaseBuilder phase = graphs(20, {7}, 0);
  for (std::uint32_t i = 0; i < 20; ++i) {
    if (i != 7) {
      const std::int64_t start_ns = 8000 + 10'000 * static_cast<std::int64_t>(i);
      phase.kernel(start_ns, start_ns + 500, 10 + i, static_cast<std::uint32_t>(phase.records.kernels.size()));
    }
  }
  only_issue(phase.read(20), ErrorKind::records_lost);
}

BOOST_AUTO_TEST_CASE(without_records_of_calls_nothing_is_said_of_missing_work) {
  PhaseBuilder phase = graphs(20, {7}, 1);
  std::erase_if(phase.records.buffers.back(), [](const Record& record) { return record.kind == RecordKind::api; });
  BOOST_TEST(phase.read(20).issues.empty());
}

// What an op does in its calls is its own: fewer calls, other kernels, or another graph more often than a record is
// lost.
BOOST_AUTO_TEST_CASE(an_op_that_rarely_does_something_else_has_groups) {
  PhaseBuilder fewer_calls = graphs(20, {7}, 1);
  for (std::uint32_t i = 0; i < 20; ++i) {
    if (i == 7) continue;
    fewer_calls.api(100 + i, 11);
    fewer_calls.kernel(8000 + 10'000 * static_cast<std::int64_t>(i), 8500 + 10'000 * i, 100 + i, 0);
    fewer_calls.label(100 + i, i);
  }
  BOOST_TEST(fewer_calls.read(20).issues.empty());

  PhaseBuilder other_kernel = graphs(20, {7}, 2);
  other_kernel.records.kernels.push_back({.name = "other"});
  other_kernel.kernel(76'000, 77'000, 17, 3);
  BOOST_TEST(other_kernel.read(20).issues.empty());
  BOOST_TEST(other_kernel.read(20).groups.size() == 2U);

  PhaseBuilder now_and_then = graphs(60, {}, 0);
  auto& buffer = now_and_then.records.buffers.back();
  std::erase_if(buffer, [](const Record& record) {  // every twentieth call has one kernel less
    return record.kind == RecordKind::kernel && record.name == 2 && (record.correlation_id - 10) % 20 == 0;
  });
  BOOST_TEST(now_and_then.read(60).issues.empty());
  BOOST_TEST(now_and_then.read(60).groups.size() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()
