#include "run/request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "collect/trace.hpp"
#include "measure/generator.hpp"
#include "store/names.hpp"

namespace opgate::run {

namespace {

// "splitmix64-uniform-1 seed 0", and what is not uniform.
std::string generator_of(const spec::Case& spec_case) {
  std::string text = fmt::format("{} seed {}", measure::kGenerator, measure::kTimingSeed);
  for (std::size_t i = 0; i < spec_case.fills.size(); ++i) {
    if (spec_case.fills[i] == core::Fill{}) continue;
    text += fmt::format(", {} {}", spec_case.inputs[i].name, core::describe(spec_case.fills[i]));
  }
  return text;
}

}  // namespace

CaseRequest request_from_spec(const std::filesystem::path& spec_path, const std::string& case_name) {
  const spec::Spec spec = spec::load_spec(spec_path);
  CaseRequest request;
  request.spec_case = spec::find_case(spec, case_name);
  const spec::Case& found = request.spec_case;
  core::CaseIdentity& identity = request.identity;
  identity.name = case_name;
  identity.op = found.workload.op;
  identity.workload = found.workload.name;
  identity.dtype = std::string(to_string(found.workload.dtype));
  identity.dimensions.insert(found.workload.dimensions.begin(), found.workload.dimensions.end());
  identity.params.insert(found.workload.params.begin(), found.workload.params.end());
  identity.generator = generator_of(found);
  identity.copies = spec.count_copies ? "count" : "forbid";
  identity.flops = found.flops;
  identity.bytes_read = found.bytes_read;
  identity.bytes_written = found.bytes_written;
  request.libraries = spec.baselines;
  request.compute_capability = spec.compute_capability;
  request.memory_gib = spec.memory_gib;
  request.count_copies = spec.count_copies;
  return request;
}

CaseRequest request_from_trace(const std::filesystem::path& path, const std::string& case_name) {
  CaseRequest request;
  request.identity = collect::read_trace(path).identity;
  if (request.identity.name != case_name) {
    throw Error(ErrorKind::trace, "this trace was recorded from " + request.identity.name + ", not from " + case_name,
                path.string(), "name the file after the case it holds");
  }
  request.count_copies = request.identity.copies == "count";
  request.trace = path;
  return request;
}

std::string unusual_options(const CaseOptions& options) {
  const CaseOptions usual;
  std::vector<std::string> words;
  if (options.protocol != usual.protocol) {
    words.push_back(fmt::format("--protocol {}", store::name_of(options.protocol)));
  }
  if (options.timing != usual.timing) {
    words.push_back(fmt::format("--timing {}", store::name_of(options.timing)));
  }
  if (options.flush) {
    words.push_back(fmt::format("--flush {}", store::name_of(*options.flush)));
  }
  if (options.launch) {
    words.push_back(fmt::format("--launch {}", store::name_of(*options.launch)));
  }
  if (options.iterations) {
    words.push_back(fmt::format("--iterations {}", *options.iterations));
  }
  if (options.processes) {
    words.push_back(fmt::format("--processes {}", *options.processes));
  }
  if (options.pacing) {
    words.push_back(fmt::format("--pacing {}", *options.pacing));
  }
  if (options.probe_clock == false) {
    words.emplace_back("--no-probe");
  }
  if (options.buffer_bytes != usual.buffer_bytes) {
    words.push_back(fmt::format("--buffer-bytes {}", options.buffer_bytes));
  }
  return fmt::format("{}", fmt::join(words, " "));
}

BenchOptions bench_options(const CaseRequest& request, const CaseOptions& options) {
  BenchOptions bench;
  bench.protocol = options.protocol;
  bench.timing = options.timing;
  bench.flush = options.flush;
  bench.launch = options.launch;
  bench.iterations = options.iterations ? options.iterations : request.spec_case.iterations;
  bench.pacing = options.pacing;
  bench.probe_clock = options.probe_clock;
  bench.count_copies = request.count_copies;
  bench.buffer_bytes = options.buffer_bytes;
  return bench;
}

}  // namespace opgate::run
