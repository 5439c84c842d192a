#include "collect/tracing_proof.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "collect/marker.hpp"

using namespace opgate;
using collect::graph_kernels_labelled;
using collect::launched_graphs;
using collect::MarkerLabel;
using collect::missing_kinds;
using core::Record;
using core::RecordKind;

namespace {

constexpr MarkerLabel kLabel{.external_kind = 5, .id = 0x1234'ffff'ffff};

// What Marker::launch() delivers where everything is traced: the work of four calls, three of the runtime's API.
struct Fixture {
  Fixture() {
    records.names = {"cudaLaunchKernel_v7000", "cuMemsetD8Async"};
    records.kernels = {{.name = "_ZN6opgate7collect20opgate_marker_kernelEPh"}};
    records.buffers.resize(1);
    add(1, {.kind = RecordKind::kernel, .name = 0}, 0);
    add(2, {.kind = RecordKind::memset, .bytes = collect::kMarkerMemsetBytes}, 0);
    add(3, {.kind = RecordKind::memcpy, .bytes = collect::kMarkerCopyBytes}, 0);
    add(4, {.kind = RecordKind::memset, .bytes = collect::kMarkerDriverBytes}, 1);
  }

  void add(std::uint32_t id, Record work, std::uint32_t api) {
    work.correlation_id = id;
    records.buffers.back().push_back(work);
    records.buffers.back().push_back({.kind = RecordKind::api, .correlation_id = id, .name = api});
    records.buffers.back().push_back({.kind = RecordKind::external,
                                      .correlation_id = id,
                                      .external_kind = kLabel.external_kind,
                                      .external_id = kLabel.id});
  }

  template <class Condition>
  std::vector<std::string> without(const Condition& condition) {
    std::erase_if(records.buffers.back(), condition);
    return missing_kinds(records, kLabel);
  }

  core::PhaseRecords records;
};

void check(const std::vector<std::string>& missing, const std::vector<std::string>& wanted) {
  BOOST_TEST(missing == wanted, boost::test_tools::per_element());
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(tracing_proof, Fixture)

BOOST_AUTO_TEST_CASE(a_whole_trace_misses_nothing) {
  check(missing_kinds(records, kLabel), {});
  std::reverse(records.buffers.back().begin(), records.buffers.back().end());
  check(missing_kinds(records, kLabel), {});
}

BOOST_AUTO_TEST_CASE(kinds_of_work_are_named) {
  check(without([](const Record& record) { return record.kind == RecordKind::kernel; }), {"CONCURRENT_KERNEL"});
  check(without([](const Record& record) { return record.kind == RecordKind::memcpy; }),
        {"CONCURRENT_KERNEL", "MEMCPY"});
  check(without([](const Record& record) { return record.kind == RecordKind::memset; }),
        {"CONCURRENT_KERNEL", "MEMCPY", "MEMSET"});
}

BOOST_AUTO_TEST_CASE(a_kernel_of_somebody_else_is_no_marker) {
  records.kernels[0].name = "_Z5scalePf";
  check(missing_kinds(records, kLabel), {"CONCURRENT_KERNEL"});
}

BOOST_AUTO_TEST_CASE(a_missing_api_is_named) {
  check(without([](const Record& record) { return record.kind == RecordKind::api && record.name == 0; }), {"RUNTIME"});
}

BOOST_AUTO_TEST_CASE(a_driver_call_inside_does_not_stand_for_the_runtime) {
  for (Record& record : records.buffers.back()) {
    if (record.kind == RecordKind::api) record.name = 1;
  }
  check(missing_kinds(records, kLabel), {"RUNTIME"});
}

BOOST_AUTO_TEST_CASE(a_missing_driver_api_is_named) {
  check(without([](const Record& record) { return record.kind == RecordKind::api && record.name == 1; }), {"DRIVER"});
}

BOOST_AUTO_TEST_CASE(missing_labels_are_named) {
  check(without([](const Record& record) { return record.kind == RecordKind::external; }), {"EXTERNAL_CORRELATION"});
}

BOOST_AUTO_TEST_CASE(labels_of_another_marker_or_kind_do_not_count) {
  check(missing_kinds(records, {.external_kind = kLabel.external_kind, .id = kLabel.id + 1}), {"EXTERNAL_CORRELATION"});
  check(missing_kinds(records, {.external_kind = 3, .id = kLabel.id}), {"EXTERNAL_CORRELATION"});
}

BOOST_AUTO_TEST_CASE(without_any_record_every_kind_of_work_is_missing) {
  records.buffers.clear();
  check(missing_kinds(records, kLabel), {"CONCURRENT_KERNEL", "MEMCPY", "MEMSET"});
}

BOOST_AUTO_TEST_CASE(kernels_of_a_graph_are_counted_by_their_label) {
  BOOST_TEST(graph_kernels_labelled(records, kLabel) == 1);
  records.buffers.back().push_back({.kind = RecordKind::kernel, .correlation_id = 1, .name = 0});
  BOOST_TEST(graph_kernels_labelled(records, kLabel) == 2);
  records.buffers.back().push_back({.kind = RecordKind::kernel, .correlation_id = 9, .name = 0});  // a wrong id
  BOOST_TEST(graph_kernels_labelled(records, kLabel) == 2);
}

BOOST_AUTO_TEST_CASE(graph_launches_are_seen_by_the_name_of_the_call) {
  BOOST_TEST(!launched_graphs(records));
  records.names.emplace_back("cudaGraphLaunch_v10000");
  BOOST_TEST(launched_graphs(records));
}

BOOST_AUTO_TEST_SUITE_END()
