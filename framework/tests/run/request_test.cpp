#include "run/request.hpp"

#include <boost/test/unit_test.hpp>

#include "collect/trace.hpp"
#include "device/environment.hpp"
#include "opgate/error.hpp"
#include "text/file.hpp"

using namespace opgate;

namespace {

struct Specs : test::Folder {
  Specs() {
    text::write_file(spec, R"({"op": "scale", "doc": "y = s * x", "inputs": {"x": "dtype[rows, cols]"},
  "outputs": {"y": "dtype[rows, cols]"}, "params": {"s": 2.5}, "flops": "rows*cols", "dtypes": ["f16"],
  "baselines": ["cublas"], "requires": {"compute_capability": 90, "memory_gib": 4}, "copies": "count",
  "tolerance": "2%", "why": "noisy", "labels": ["nightly"], "timeout_s": 30,
  "workloads": [{"name": "small", "rows": 2, "cols": 8, "iterations": 17},
                {"name": "large", "rows": 4, "cols": 8}]})",
                     ErrorKind::io);
  }
  std::filesystem::path spec = path / "scale.json";
};

run::CaseRequest with_iterations(std::optional<int> iterations) {
  run::CaseRequest request;
  request.spec_case.iterations = iterations;
  return request;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(request, Specs)

BOOST_AUTO_TEST_CASE(a_request_holds_what_the_spec_says_of_the_case) {
  const auto request = run::request_from_spec(spec, "scale.small.f16");
  BOOST_TEST(request.identity.name == "scale.small.f16");
  BOOST_TEST(request.identity.op == "scale");
  BOOST_TEST(request.identity.workload == "small");
  BOOST_TEST(request.identity.dtype == "f16");
  BOOST_TEST(request.identity.dimensions.at("rows") == 2);
  BOOST_TEST(request.identity.params.at("s") == 2.5);
  BOOST_TEST(!request.identity.generator.empty());
  BOOST_TEST(request.identity.copies == "count");
  BOOST_TEST(request.identity.flops.value() == 16);
  BOOST_TEST(request.identity.bytes_read.value() == 32);
  BOOST_TEST(request.identity.bytes_written.value() == 32);
  BOOST_TEST(request.libraries.at(0) == "cublas");
  BOOST_TEST(request.compute_capability.value() == 90);
  BOOST_TEST(request.memory_gib.value() == 4);
  BOOST_TEST(request.count_copies);
  BOOST_TEST(request.spec_case.tolerance == 0.02);
  BOOST_TEST(!request.trace.has_value());
}

// Stored baselines and recorded traces hold these words.
BOOST_AUTO_TEST_CASE(the_generator_names_what_is_not_uniform_and_nothing_else) {
  BOOST_TEST(run::request_from_spec(spec, "scale.small.f16").identity.generator == "splitmix64-uniform-1 seed 0");
  const auto filled = std::filesystem::path(OPGATE_TEST_DATA) / "specs" / "good" / "filled.json";
  BOOST_TEST(run::request_from_spec(filled, "filled.plain.f32").identity.generator ==
             "splitmix64-uniform-1 seed 0, ids below 200, ends offsets 8, w normal");
  BOOST_TEST(run::request_from_spec(filled, "filled.large-logits.f32").identity.generator ==
             "splitmix64-uniform-1 seed 0, x large, ids below 8, ends offsets 8");
}

BOOST_AUTO_TEST_CASE(a_case_that_the_spec_lacks_is_an_error_that_names_near_ones) {
  BOOST_CHECK_EXCEPTION((void)run::request_from_spec(spec, "scale.smal.f16"), Error, [](const Error& error) {
    return error.kind() == ErrorKind::spec && error.remedy().find("scale.small.f16") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(a_trace_gives_its_own_case_and_no_other) {
  collect::Trace trace;
  trace.identity.name = "scale.small.f16";
  trace.identity.copies = "count";
  const auto file = path / "one.trace.jsonl";
  collect::write_trace(trace, file);
  const auto request = run::request_from_trace(file, "scale.small.f16");
  BOOST_TEST(request.identity.name == "scale.small.f16");
  BOOST_TEST(request.count_copies);
  BOOST_TEST(request.trace.value() == file);
  BOOST_CHECK_EXCEPTION((void)run::request_from_trace(file, "scale.large.f16"), Error, [](const Error& error) {
    return error.kind() == ErrorKind::trace && error.where().find("one.trace.jsonl") != std::string::npos &&
           error.summary() == "this trace was recorded from scale.small.f16, not from scale.large.f16";
  });
}

BOOST_AUTO_TEST_CASE(the_command_line_s_iterations_go_before_the_spec_s) {
  run::CaseOptions options;
  BOOST_TEST(!run::bench_options(with_iterations(std::nullopt), options).iterations.has_value());
  BOOST_TEST(run::bench_options(with_iterations(17), options).iterations.value() == 17);
  options.iterations = 40;
  BOOST_TEST(run::bench_options(with_iterations(17), options).iterations.value() == 40);
}

BOOST_AUTO_TEST_CASE(every_option_of_the_measuring_reaches_it) {
  run::CaseOptions options;
  options.protocol = Protocol::method_1;
  options.timing = Timing::cuda_events;
  options.flush = Flush::none;
  options.launch = Launch::queued;
  options.pacing = 0;
  options.probe_clock = false;
  options.buffer_bytes = 64;
  run::CaseRequest request;
  request.count_copies = true;
  const BenchOptions bench = run::bench_options(request, options);
  BOOST_TEST((bench.protocol == Protocol::method_1));
  BOOST_TEST((bench.timing == Timing::cuda_events));
  BOOST_TEST((bench.flush == Flush::none));
  BOOST_TEST((bench.launch == Launch::queued));
  BOOST_TEST(bench.pacing.value() == 0);
  BOOST_TEST(!bench.probe_clock.value());
  BOOST_TEST(bench.buffer_bytes == 64U);
  BOOST_TEST(bench.count_copies);
}

BOOST_AUTO_TEST_CASE(options_that_change_a_reading_are_written_as_they_are_given) {
  run::CaseOptions options;
  options.store = false;
  options.history = "h";
  BOOST_TEST(run::unusual_options(options) == "");
  options.protocol = Protocol::method_1;
  options.timing = Timing::cuda_events;
  options.flush = Flush::none;
  options.launch = Launch::direct;
  options.iterations = 5;
  options.processes = 2;
  options.pacing = 0;
  options.probe_clock = false;
  options.buffer_bytes = 64;
  BOOST_TEST(
      run::unusual_options(options) ==
      "--protocol method-1 --timing cuda-events --flush none --launch direct --iterations 5 --processes 2 --pacing 0 "
      "--no-probe --buffer-bytes 64");
}

BOOST_AUTO_TEST_SUITE_END()
