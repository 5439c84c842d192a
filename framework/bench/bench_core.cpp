#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "records.hpp"

namespace opgate::benchmarks {
namespace {

void read_records(benchmark::State& state, Shape shape) {
  const Phase phase = make_phase(static_cast<std::size_t>(state.range(0)), shape);
  for (auto _ : state) {
    benchmark::DoNotOptimize(read(phase));
  }
  state.SetComplexityN(state.range(0));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->ArgName("records")->RangeMultiplier(10)->Range(10'000, 10'000'000);
  bench->Unit(benchmark::kMillisecond)->Complexity();
}

BENCHMARK_CAPTURE(read_records, one_kernel_a_call, Shape::one_kernel)->Apply(sizes);
BENCHMARK_CAPTURE(read_records, many_kernels_a_call, Shape::many_kernels)->Apply(sizes);
BENCHMARK_CAPTURE(read_records, shuffled, Shape::shuffled)->Apply(sizes);

// One record a line, for a version of the step in another language; then what this one makes of them.
int write_records(std::size_t count, const std::string& path) {
  const Phase phase = make_phase(count, Shape::many_kernels);
  std::ofstream file(path);
  file << phase.labels.iterations << '\n';
  for (const core::RecordBuffer& buffer : phase.records.buffers) {
    for (const core::Record& r : buffer) {
      const bool external = r.kind == core::RecordKind::external;
      file << fmt::format("{} {} {} {} {}\n", static_cast<int>(r.kind), r.correlation_id, r.start_ns, r.end_ns,
                          external ? r.external_id & 0xffff'ffffU : r.name);
    }
  }
  file.close();
  fmt::print("{}\n", digest(read(phase)));
  return file.good() && std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace
}  // namespace opgate::benchmarks

// bench_core [Google Benchmark's options], or bench_core --write-records COUNT FILE
int main(int argc, char** argv) {
  if (argc == 4 && std::string(argv[1]) == "--write-records") {
    return opgate::benchmarks::write_records(std::strtoul(argv[2], nullptr, 10), argv[3]);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 64;
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
