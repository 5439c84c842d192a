// Writes a history for the report page to be looked at: every outcome, levels that change, libraries, clocks, units,
// a mixed call, replayed and imported results, and names that try to break out of the page.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <exception>
#include <random>
#include <string>

#include "store/history.hpp"

namespace {

using namespace opgate;

constexpr std::int64_t kFirstRunMs = 1'735'700'000'000;
constexpr std::int64_t kDayMs = 86'400'000;
constexpr int kSamples = 200;
const std::string kHostile =
    "evil<img src=x onerror=\"window.hacked=1\">`|[a](b)</script><script>window.hacked=1</script>.f16";
const std::string kHostileCommit = "</code><script>window.hacked=1</script>\"'&lt;";

struct Size {
  std::string file;
  int cases = 60;
  int runs = 90;
};

struct Place {
  int index = 0;
  int run = 0;
  bool newest = false;
};

std::string name_of(int index) {
  constexpr const char* kOps[] = {"gemm", "softmax", "rmsnorm", "attention", "copy", "add"};
  if (index == 7) return kHostile;
  return fmt::format("{}.shape-{}.{}", kOps[index % 6], index / 6, index % 2 == 0 ? "bf16" : "f32");
}

// Quiet, stepping up or down by a few percent, or drifting, by case.
double level_of(const Place& at, int runs) {
  const double base = 2000.0 * std::pow(1.6, at.index % 14);
  const double share = static_cast<double>(at.run) / runs;
  switch (at.index % 5) {
    case 1:
      return share > 0.6 ? base * 1.06 : base;
    case 2:
      return share > 0.3 ? base * 0.94 : base;
    case 3:
      return base * (1 + 0.03 * share);
    default:
      return base;
  }
}

std::vector<Sample> samples_of(double median_ns, std::mt19937_64& dice, int count) {
  std::normal_distribution<double> scatter(0, 0.006);
  std::vector<Sample> samples(static_cast<std::size_t>(count));
  for (Sample& sample : samples) {
    sample.busy_ns = 32 * std::llround(median_ns * (1 + scatter(dice)) / 32) + static_cast<std::int64_t>(dice() % 2);
    sample.latency_ns = sample.busy_ns;
    sample.n_kernels = 1;
    sample.sm_mhz = 1980 - 15 * static_cast<std::int32_t>(dice() % 4);
  }
  return samples;
}

core::ImplementationResult implementation(const std::string& name, double median_ns, std::mt19937_64& dice, int count) {
  core::ImplementationResult one;
  one.measurement.name = name;
  one.measurement.samples = samples_of(median_ns, dice, count);
  one.measurement.launch = Launch::queued;
  one.measurement.pacing = 1;
  one.measurement.warmup_iterations = 50;
  one.kernel_groups = {"1 x kernel"};
  one.kernels.push_back({"_Z6kernelILi128EEvPKfPfi", {32, 16, 1}, {256, 1, 1}, 64, 1024, 0});
  return one;
}

core::DeviceIdentity device_of(int run) {
  return {.name = "NVIDIA H200",
          .uuid = run % 11 == 5 ? "GPU-second-unit" : "GPU-first-unit",
          .driver = "580.159.03",
          .cuda = "13.0",
          .cupti = "130001",
          .sm_count = 132,
          .l2_bytes = 60 << 20,
          .memory_bytes = std::int64_t{140} << 30,
          .compute_capability = 90,
          .max_sm_mhz = 1980,
          .tick_ns = 32};
}

core::Attempt attempt_of(const Place& at, int runs, std::mt19937_64& dice) {
  core::Attempt attempt;
  attempt.status = core::Status::measured;
  attempt.started_unix_ms = kFirstRunMs + at.run * kDayMs;
  attempt.wall_ns = 400'000'000;
  attempt.device = device_of(at.run);
  attempt.before = {1980, 3201, 41, 120'400, 0, {}};
  attempt.after = {1965, 3201, 44, 350'900, 4, {}};
  const double night = 1 + std::normal_distribution<double>(0, 0.0015)(dice);
  // Only the newest run's distribution is looked at.
  const int count = at.newest ? kSamples : 12;
  attempt.implementations.push_back(implementation("", level_of(at, runs) * night, dice, count));
  if (at.index % 3 == 0) {
    attempt.implementations.push_back(implementation("cublas", level_of(at, runs) * 0.9, dice, count));
    attempt.implementations.push_back(implementation("cudnn", level_of(at, runs) * 1.3, dice, count));
  }
  if (at.index == 8) {  // a mixed call
    core::ImplementationResult& ours = attempt.implementations.front();
    ours.kernel_groups = {"1 x kernel", "2 x kernel"};
    ours.measurement.samples = samples_of(level_of(at, runs), dice, 40);
    for (std::size_t i = 0; i < 20; ++i) {
      Sample& sample = ours.measurement.samples[2 * i];
      sample.busy_ns *= 2;
      sample.latency_ns = sample.busy_ns;
      sample.group = 1;
    }
  }
  return attempt;
}

void judge(store::CaseResult& result, double measured, double baseline) {
  core::Judgement judgement;
  judgement.baseline_ns = baseline;
  judgement.measured_ns = measured;
  judgement.change_pct = (measured / baseline - 1) * 100;
  judgement.threshold_pct = 2.0;
  judgement.detectable_pct = 2.4;
  const double change = *judgement.change_pct;
  judgement.verdict = change > 2    ? core::Verdict::regressed
                      : change < -2 ? core::Verdict::improved
                                    : core::Verdict::pass;
  judgement.reason = fmt::format("time: {:.1f} % against 10 accepted runs, limit 2.0 % (tolerance)", change);
  result.judgement = judgement;
  result.exit_code = change > 2 ? core::ExitCode::regression : core::ExitCode::pass;
}

void end_without_number(store::CaseResult& result, core::Status status, core::ExitCode code, ErrorKind error) {
  core::Attempt& attempt = result.attempts.front();
  attempt.status = status;
  attempt.error = error;
  attempt.phase = "measure";
  attempt.message =
      "this op: CUPTI dropped 40 records, so the reading is not complete\n  fix: measure fewer iterations";
  attempt.implementations.clear();
  result.judgement.reset();
  result.exit_code = code;
}

store::CaseResult result_of(const Place& at, int runs, std::mt19937_64& dice) {
  store::CaseResult result;
  core::CaseIdentity& identity = result.identity;
  identity.name = name_of(at.index);
  identity.op = identity.name.substr(0, identity.name.find('.'));
  identity.workload = fmt::format("shape-{}", at.index / 6);
  identity.dtype = at.index % 2 == 0 ? "bf16" : "f32";
  identity.dimensions = {{"m", 64 + at.index}, {"n", 4096}};
  const double base = level_of({at.index, 0, false}, runs);
  identity.bytes_read = base * 2500;
  identity.bytes_written = base * 1000;
  if (at.index % 4 != 3) identity.flops = base * 3500 * std::pow(2.0, at.index % 7);
  result.labels = {"nightly"};
  result.attempts.push_back(attempt_of(at, runs, dice));
  judge(result, level_of(at, runs), base);
  if (at.index == 11 && at.newest) {
    end_without_number(result, core::Status::untrusted, core::ExitCode::untrusted, ErrorKind::records_lost);
  }
  if (at.index == 13 && at.run % 4 == 1) {
    end_without_number(result, core::Status::failed, core::ExitCode::cannot_run, ErrorKind::cuda);
  }
  if (at.index == 14) result.attempts.front().replayed = true;
  if (at.index == 15) result.attempts.front().implementations.front().imported.emplace();
  if (at.index == 7) result.judgement->reason = kHostile;
  return result;
}

void write(const Size& size) {
  store::History history = store::History::open_for_writing(size.file);
  std::mt19937_64 dice(7);
  for (int run = 0; run < size.runs; ++run) {
    store::RunInfo info;
    info.origin = "ctest";
    info.label = "ctest -L nightly";
    info.host = "gpu-runner-1";
    info.started_unix_ms = kFirstRunMs + run * kDayMs;
    info.closed_unix_ms = info.started_unix_ms + 600'000;
    info.commit = run % 3 == 2 || run + 1 == size.runs ? kHostileCommit : fmt::format("{:040x}", 0xabcdef01234 + run);
    std::vector<store::CaseResult> results;
    for (int index = 0; index < size.cases; ++index) {
      info.selected.push_back(name_of(index));
      const bool newest = run + 1 == size.runs;
      if (index == 12 && newest) continue;  // expected, and recorded nothing
      results.push_back(result_of({index, run, newest}, size.runs, dice));
    }
    const std::int64_t id = history.open_run(info);
    history.select(id, info.selected);
    history.put_results(id, results);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Size size;
  CLI::App app("Writes a history for the report page to be looked at");
  app.add_option("FILE", size.file, "History")->required();
  app.add_option("--cases", size.cases, "Cases")->check(CLI::Range(16, 10'000));
  app.add_option("--runs", size.runs, "Runs of each")->check(CLI::Range(20, 10'000));
  CLI11_PARSE(app, argc, argv);
  try {
    write(size);
    return 0;
  } catch (const std::exception& problem) {
    fmt::print(stderr, "report_history: {}\n", problem.what());
    return 3;
  }
}
