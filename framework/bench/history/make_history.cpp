// Writes a history of any size, to measure how its readers scale, or the same figures as a sample CSV.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <random>
#include <string>
#include <vector>

#include "core/figures.hpp"
#include "opgate/error.hpp"
#include "store/history.hpp"

namespace {

using namespace opgate;

struct Size {
  std::string file;
  int cases = 1000;
  int runs = 1000;
  int samples = 200;
  int sampled_runs = 1'000'000;  // the newest so many keep their samples
  int first_run = 0;             // a history that is there gets runs after this many
  std::uint64_t seed = 1;
  int insert = 0;  // instead: so many cases one by one, as supervisors store them, each timed
};

constexpr std::int64_t kFirstRunMs = 1'700'000'000'000;
constexpr std::int64_t kDayMs = 86'400'000;

class Nights {
 public:
  explicit Nights(const Size& size) : size_(size), dice_(size.seed) {}

  static std::string case_name(int index) { return fmt::format("op{:03}.shape-{}.bf16", index / 10, index % 10); }

  // Around a level of the case's own that steps by 2 % every 400 runs; on the timer's grid.
  std::vector<Sample> samples(int case_index, int run) {
    const double level = 1500.0 * std::pow(1.007, case_index % 1000) * std::pow(1.02, run / 400);
    std::normal_distribution<double> scatter(0, 0.004);
    const double night = 1 + scatter(dice_) / 4;
    std::vector<Sample> all(static_cast<std::size_t>(size_.samples));
    for (Sample& sample : all) {
      const std::int64_t ticks = std::llround(level * night * (1 + std::abs(scatter(dice_))) / 32);
      sample.busy_ns = 32 * ticks + static_cast<std::int64_t>(dice_() % 2);
      sample.latency_ns = sample.busy_ns;
      sample.n_kernels = 1;
      sample.sm_mhz = 1980 - 15 * static_cast<std::int32_t>(dice_() % 3);
    }
    return all;
  }

 private:
  Size size_;
  std::mt19937_64 dice_;
};

// `pruned`: as `opgate prune` leaves it.
store::CaseResult result_of(Nights& nights, int index, int run, bool pruned) {
  store::CaseResult result;
  result.identity.name = Nights::case_name(index);
  result.identity.op = result.identity.name.substr(0, 5);
  result.identity.workload = fmt::format("shape-{}", index % 10);
  result.identity.dtype = "bf16";
  result.identity.dimensions = {{"m", 64 + index}, {"n", 4096}};
  result.identity.flops = 1e9;
  result.labels = {"nightly"};
  core::Attempt attempt;
  attempt.status = core::Status::measured;
  attempt.started_unix_ms = kFirstRunMs + run * kDayMs;
  attempt.wall_ns = 400'000'000;
  attempt.device = {.name = "NVIDIA H200",
                    .uuid = "GPU-bench",
                    .driver = "580.159.03",
                    .cuda = "13.0",
                    .cupti = "130001",
                    .sm_count = 132,
                    .max_sm_mhz = 1980,
                    .tick_ns = 32};
  attempt.phase_wall_ns = {{"context", 250'000'000}, {"measure", 30'000'000}};
  core::ImplementationResult ours;
  ours.measurement.samples = nights.samples(index, run);
  if (pruned) {
    ours.kept.emplace();
    ours.kept->figures = core::sample_figures(ours.measurement);
    ours.measurement.samples.clear();
  }
  ours.kernel_groups = {"1 x kernel"};
  ours.kernels.push_back({});
  ours.kernels.back().name = "kernel";
  attempt.implementations.push_back(std::move(ours));
  result.attempts.push_back(std::move(attempt));
  core::Judgement judgement;
  judgement.verdict = core::Verdict::pass;
  judgement.baseline_ns = judgement.measured_ns = 1500;
  judgement.change_pct = 0.1;
  judgement.threshold_pct = 1;
  judgement.detectable_pct = 1.2;
  judgement.reason = "time: within the limit";
  result.judgement = judgement;
  result.exit_code = core::ExitCode::pass;
  return result;
}

void write_history(const Size& size) {
  store::History history = store::History::open_for_writing(size.file);
  Nights nights(size);
  for (int run = size.first_run; run < size.first_run + size.runs; ++run) {
    store::RunInfo info;
    info.origin = "ctest";
    info.started_unix_ms = kFirstRunMs + run * kDayMs;
    info.closed_unix_ms = info.started_unix_ms + 600'000;
    info.commit = fmt::format("{:040x}", run + 1);
    const std::int64_t id = history.open_run(info);
    std::vector<store::CaseResult> results;
    for (int index = 0; index < size.cases; ++index) {
      results.push_back(result_of(nights, index, run, run < size.first_run + size.runs - size.sampled_runs));
    }
    history.put_results(id, results);
  }
}

// As a supervisor stores a case: opened, its attempt, closed, each on the disk before the next. All of it is timed.
void time_inserts(const Size& size) {
  store::History history = store::History::open_for_writing(size.file);
  Nights nights(size);
  store::RunInfo info;
  info.origin = "ctest";
  info.started_unix_ms = kFirstRunMs + size.first_run * kDayMs;
  const std::int64_t run = history.open_run(info);
  std::vector<double> taken_ms;
  for (int index = 0; index < size.insert; ++index) {
    const store::CaseResult result = result_of(nights, index, size.first_run, false);
    const auto begin = std::chrono::steady_clock::now();
    const std::int64_t id = history.begin_case(run, result);
    history.put_attempt(id, result.attempts.front());
    history.finish_case(id, result.judgement, *result.exit_code);
    taken_ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(taken_ms.begin(), taken_ms.end());
  fmt::print("{:.3f} {:.3f}\n", taken_ms[taken_ms.size() / 2], taken_ms.back());
}

void write_csv(const Size& size) {
  std::FILE* file = std::fopen(size.file.c_str(), "w");
  if (file == nullptr)
    throw Error(ErrorKind::io, "it cannot be written", size.file, "name a file in a folder that exists");
  Nights nights(size);
  fmt::print(file, "run,case,iteration,busy_ns,latency_ns,n_kernels,sm_mhz\n");
  for (int run = 0; run < size.runs; ++run) {
    for (int index = 0; index < size.cases; ++index) {
      int iteration = 0;
      for (const Sample& s : nights.samples(index, run)) {
        fmt::print(file, "{},{},{},{},{},1,{}\n", run + 1, Nights::case_name(index), iteration++, s.busy_ns,
                   s.latency_ns, *s.sm_mhz);
      }
    }
  }
  if (std::fclose(file) != 0) throw Error(ErrorKind::io, "it cannot be written", size.file, "free some space");
}

}  // namespace

int main(int argc, char** argv) {
  Size size;
  CLI::App app("Writes a history, or a sample CSV, of any size");
  app.add_option("FILE", size.file, "History, or CSV where it ends in .csv")->required();
  app.add_option("--cases", size.cases, "Cases")->check(CLI::Range(1, 10'000));
  app.add_option("--runs", size.runs, "Runs of each")->check(CLI::Range(1, 1'000'000));
  app.add_option("--samples", size.samples, "Samples of each result")->check(CLI::Range(1, 10'000));
  app.add_option("--sampled-runs", size.sampled_runs, "Runs that keep their samples, the newest; others were pruned")
      ->check(CLI::Range(0, 1'000'000));
  app.add_option("--first-run", size.first_run, "Number of days after the first run of all; appends")
      ->check(CLI::Range(0, 1'000'000));
  app.add_option("--seed", size.seed, "Seed of the figures");
  app.add_option("--insert", size.insert, "Insert so many cases one by one; prints median and worst in ms")
      ->check(CLI::Range(1, 10'000));
  CLI11_PARSE(app, argc, argv);
  try {
    if (size.insert > 0) {
      time_inserts(size);
    } else {
      size.file.ends_with(".csv") ? write_csv(size) : write_history(size);
    }
    return 0;
  } catch (const std::exception& problem) {
    fmt::print(stderr, "bench_history: {}\n", problem.what());
    return 3;
  }
}
