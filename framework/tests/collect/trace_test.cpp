#include "collect/trace.hpp"

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "opgate/error.hpp"
#include "sample_trace.hpp"

using namespace opgate;
using namespace opgate::collect;

namespace {

void check_equal(const Trace& a, const Trace& b) {
  BOOST_TEST((a.identity == b.identity));
  BOOST_TEST((a.device == b.device));
  BOOST_TEST(a.implementations == b.implementations, boost::test_tools::per_element());
  BOOST_TEST((a.protocol == b.protocol && a.timing == b.timing && a.flush == b.flush && a.launch == b.launch));
  BOOST_TEST((a.pacing == b.pacing && a.probe_clock == b.probe_clock));
  BOOST_TEST(a.recorded_unix_ms == b.recorded_unix_ms);
  BOOST_TEST(a.external_kind == b.external_kind);
  BOOST_TEST(a.calibrations_ns == b.calibrations_ns, boost::test_tools::per_element());
  BOOST_TEST((a.phases == b.phases));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  BOOST_REQUIRE_MESSAGE(at != std::string::npos, "no '" + from + "' in the trace");
  return text.replace(at, from.size(), to);
}

std::string without_line(const std::string& text, int number) {
  std::size_t begin = 0;
  for (int i = 1; i < number; ++i) begin = text.find('\n', begin) + 1;
  return text.substr(0, begin) + text.substr(text.find('\n', begin) + 1);
}

void check_refused(const std::string& text, const std::string& where, const std::string& what) {
  BOOST_CHECK_EXCEPTION((void)parse_trace(text, "t.jsonl"), Error, [&](const Error& error) {
    BOOST_TEST_MESSAGE(error.what());
    BOOST_TEST(error.where() == where);
    BOOST_TEST(error.summary().find(what) != std::string::npos, error.what() << " lacks: " << what);
    return error.kind() == ErrorKind::trace && !error.remedy().empty();
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(trace)

BOOST_AUTO_TEST_CASE(a_trace_reads_back_as_it_was_and_writes_the_same_text) {
  const Trace trace = test::sample_trace();
  const std::string text = format_trace(trace);
  const Trace back = parse_trace(text, "t.jsonl");
  check_equal(back, trace);
  BOOST_TEST(format_trace(back) == text);
}

BOOST_AUTO_TEST_CASE(what_the_stage_saw_and_how_calls_were_made_are_kept) {
  Trace trace = test::sample_trace();
  trace.launch.reset();
  trace.pacing = 1.5;
  trace.probe_clock = true;
  trace.phases[0].plan.held = true;
  trace.phases[0].plan.every_api = true;
  trace.phases[0].records.stage = {
      .hold_refusal = "launches block", .let_go = {3, 7}, .clocks = {{30'016, 15'168}, {30'020, 15'200}}};
  check_equal(parse_trace(format_trace(trace), "t.jsonl"), trace);
}

// What version 1 does not say: calls were direct, neither paced nor probed.
BOOST_AUTO_TEST_CASE(a_trace_of_version_1_is_still_read) {
  const Trace trace = test::sample_trace();
  std::string text = replaced(format_trace(trace), "\"version\":3", "\"version\":1");
  text = replaced(text, "\"pacing\":0.0,\"probe_clock\":false,", "");
  text = replaced(text, "\"held\":false,\"every_api\":false,\"hold_refusal\":\"\",\"let_go\":[],\"clocks\":[],", "");
  text = replaced(text, "\"drained\":false,\"drains\":[],", "");
  check_equal(parse_trace(text, "t.jsonl"), trace);
}

// Nor that of version 2, that a phase was drained.
BOOST_AUTO_TEST_CASE(a_trace_of_version_2_is_still_read) {
  const Trace trace = test::sample_trace();
  std::string text = replaced(format_trace(trace), "\"version\":3", "\"version\":2");
  text = replaced(text, "\"drained\":false,\"drains\":[],", "");
  check_equal(parse_trace(text, "t.jsonl"), trace);
}

BOOST_AUTO_TEST_CASE(drains_are_kept_and_there_is_none_or_one_of_each_iteration) {
  Trace trace = test::sample_trace(3);
  trace.phases[0].plan.drained = true;
  check_equal(parse_trace(format_trace(trace), "t.jsonl"), trace);
  trace.phases[0].records.drains = {core::Drain{test::kStart - 5, test::kStart + 7}, std::nullopt,
                                    core::Drain{0, std::numeric_limits<std::int64_t>::max()}};
  const std::string text = format_trace(trace);
  check_equal(parse_trace(text, "t.jsonl"), trace);
  check_refused(replaced(text, "null,[", "["), "t.jsonl:2", "2 drains of 3 iterations");
  check_refused(replaced(text, "null,[", "null,[1,"), "t.jsonl:2", "the begin and the end of a drain");
}

BOOST_AUTO_TEST_CASE(twenty_iterations_take_a_few_kilobytes) {
  const std::string text = format_trace(test::sample_trace(20));
  BOOST_TEST_MESSAGE(text.size() << " bytes");
  BOOST_TEST(text.size() < 10'000U);
}

BOOST_AUTO_TEST_CASE(unusual_records_survive) {
  Trace trace = test::sample_trace(2);
  auto& records = trace.phases[0].records;
  records.dropped.reset();
  auto& buffer = records.buffers[0];
  buffer[0].external_id = core::external_id(1, 7);  // the op's own id
  buffer[2].start_ns = 0;                           // timestamps lost
  buffer[2].end_ns = 0;
  buffer[5].end_ns = buffer[5].start_ns - 10;
  core::Record copy;
  copy.kind = core::RecordKind::memcpy;
  copy.start_ns = test::kStart;
  copy.end_ns = test::kStart + 5;
  copy.bytes = 1ULL << 40U;
  copy.copy_kind = 8;
  core::Record set = copy;
  set.kind = core::RecordKind::memset;
  set.copy_kind = 0;
  records.buffers.push_back({copy, set});
  records.buffers.emplace_back();
  TracePhase empty;
  empty.records.dropped = 12;
  empty.plan.kind = PhaseKind::warmup;
  empty.plan.implementation = "quote \" and \n line";
  trace.phases.push_back(empty);
  check_equal(parse_trace(format_trace(trace), "t.jsonl"), trace);
}

BOOST_AUTO_TEST_CASE(files_are_written_and_read) {
  const auto path = std::filesystem::temp_directory_path() / ("opgate-trace-" + std::to_string(::getpid()) + ".jsonl");
  write_trace(test::sample_trace(), path);
  check_equal(read_trace(path), test::sample_trace());
  std::filesystem::remove(path);
  BOOST_CHECK_EXCEPTION((void)read_trace(path), Error,
                        [](const Error& error) { return error.kind() == ErrorKind::trace; });
}

BOOST_AUTO_TEST_CASE(a_file_of_unreasonable_size_is_not_read) {
  const auto path = std::filesystem::temp_directory_path() / ("opgate-large-" + std::to_string(::getpid()) + ".jsonl");
  std::ofstream(path) << "{}";
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40U);  // sparse
  BOOST_CHECK_EXCEPTION((void)read_trace(path), Error, [](const Error& error) {
    return error.summary().find("larger than 64 MiB") != std::string::npos;
  });
  std::filesystem::remove(path);
}

BOOST_AUTO_TEST_CASE(truncation_is_noticed_wherever_it_happens) {
  const std::string text = format_trace(test::sample_trace(2));
  for (std::size_t length = 0; length < text.size(); ++length) {
    BOOST_CHECK_THROW((void)parse_trace(text.substr(0, length), "t.jsonl"), Error);
  }
}

BOOST_AUTO_TEST_CASE(errors_name_the_line) {
  const std::string text = format_trace(test::sample_trace(2));
  check_refused("", "t.jsonl:1", "ends where a header");
  check_refused("hello\n", "t.jsonl:1", "");
  check_refused("{\"format\":\"other\"}\n", "t.jsonl:1", "not an opgate trace");
  check_refused(replaced(text, "\"version\":3", "\"version\":4"), "t.jsonl:1", "version 4");
  check_refused(replaced(text, "\"version\":3", "\"version\":0"), "t.jsonl:1", "version 0");
  check_refused(replaced(text, "\"method-1\"", "\"method-9\""), "t.jsonl:1", "none of opgate-1, method-1");
  check_refused(replaced(text, "\"timing\"", "\"timings\""), "t.jsonl:1", "timing");
  check_refused(replaced(text, "\"nonce\":3735928559", "\"nonce\":4294967296"), "t.jsonl:2", "out of range");
  check_refused(replaced(text, "[1024,1,1]", "[1024,1]"), "t.jsonl:4", "three");
  check_refused(replaced(text, "{\"buffer\":9}", "{\"buffers\":9}"), "t.jsonl:6", "buffers");
  check_refused(replaced(text, "[\"x\",100,", "[\"y\",100,"), "t.jsonl:7", "none of k, c, s, a, x");
  check_refused(replaced(text, "[\"x\",100,5,", "[\"x\",100,"), "t.jsonl:7", "too few");
  check_refused(replaced(text, "[\"x\",100,5,", "[\"x\",100,5,1,2,"), "t.jsonl:7", "too many");
  check_refused(replaced(text, ",4321,0]", ",4321,1]"), "t.jsonl:8", "outside the phase's 1 names");
  check_refused(text + "{}\n", "t.jsonl:25", "more lines");
}

BOOST_AUTO_TEST_CASE(a_missing_line_is_an_error) {
  const std::string text = format_trace(test::sample_trace(2));
  const auto lines = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  BOOST_TEST(lines > 20);
  for (int line = 1; line <= lines; ++line) {
    BOOST_CHECK_THROW((void)parse_trace(without_line(text, line), "t.jsonl"), Error);
  }
}

BOOST_AUTO_TEST_CASE(claims_of_a_hostile_trace_reserve_nothing) {
  const std::string text = format_trace(test::sample_trace(2));
  const std::string huge = "9223372036854775807";
  check_refused(replaced(text, "\"kernels\":3", "\"kernels\":" + huge), "t.jsonl:6", "");
  check_refused(replaced(text, "\"phases\":1", "\"phases\":" + huge), "t.jsonl:26", "ends where a phase");
  check_refused(replaced(text, "{\"buffer\":9}", "{\"buffer\":" + huge + "}"), "t.jsonl:16", "");
  check_refused(std::string(500'000, '[') + "\n", "t.jsonl:1", "");
  check_refused("[" + std::string(2'000'000, '1') + "]\n", "t.jsonl:1", "more than 1048576");
}

BOOST_AUTO_TEST_CASE(what_json_cannot_hold_is_not_written) {
  Trace trace = test::sample_trace(2);
  trace.calibrations_ns.push_back(std::numeric_limits<double>::quiet_NaN());
  BOOST_CHECK_THROW((void)format_trace(trace), Error);
  trace = test::sample_trace(2);
  trace.phases[0].records.kernels[0].name = "\xff";
  BOOST_CHECK_THROW((void)format_trace(trace), Error);
}

BOOST_AUTO_TEST_SUITE_END()
