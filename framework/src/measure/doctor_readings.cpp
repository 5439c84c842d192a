#include "measure/doctor_readings.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "collect/trace.hpp"
#include "core/statistics.hpp"
#include "measure/cuda_check.hpp"
#include "measure/device_ops.hpp"
#include "measure/doctor_kernels.hpp"
#include "measure/host_load.hpp"
#include "measure/probe_kernels.hpp"
#include "opgate/bench.hpp"

namespace opgate::measure {
namespace {

constexpr int kImmunityTurns = 7;
constexpr std::size_t kMebibyte = std::size_t{1} << 20U;

BenchOptions quick(int iterations) {
  BenchOptions options;
  options.iterations = iterations;
  options.warmup_budget_ns = 2'000'000;
  return options;
}

// One traced stretch of work, unlabelled.
core::PhaseRecords trace(int launches, std::size_t buffer_bytes, const std::function<void(int)>& launch) {
  collect::Collector& collector = collect::cupti_collector();
  static_cast<void>(collector.begin_phase(
      {.kind = collect::PhaseKind::proof, .implementation = {}, .iterations = launches, .buffer_bytes = buffer_bytes}));
  try {
    for (int i = 0; i < launches; ++i) launch(i);
    return collector.end_phase({});
  } catch (...) {
    collector.abandon_phase();
    throw;
  }
}

Measurement time_flushed(const Callable& run, Flush flush, const Callable& reset = {}) {
  BenchOptions options = quick(60);
  options.flush = flush;
  return std::move(compare({Candidate{.name = {}, .run = run, .reset = reset}}, options).front());
}

// A ring of indices through a quarter of L2, evenly spread, in an order that no prefetcher follows.
class Ring {
 public:
  static constexpr int kSteps = 512;

  Ring() {
    int device = 0;
    int l2_bytes = 0;
    check_cuda(cudaGetDevice(&device), "cudaGetDevice");
    check_cuda(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, device),
               "cudaDeviceGetAttribute(L2CacheSize)");
    constexpr std::size_t kWordsPerLine = 128 / sizeof(std::uint32_t);
    const std::size_t lines = static_cast<std::size_t>(l2_bytes) / 4 / sizeof(std::uint32_t) / kWordsPerLine / kSteps;
    const std::size_t stride = std::max<std::size_t>(1, lines) * kWordsPerLine;
    std::vector<std::uint32_t> next(stride * kSteps, 0);
    constexpr std::size_t kJump = 197;  // odd, so that it visits all of a power of two
    for (std::size_t i = 0; i < kSteps; ++i) {
      next[i * kJump % kSteps * stride] = static_cast<std::uint32_t>((i + 1) * kJump % kSteps * stride);
    }
    array_ = DeviceArray(next.size() * sizeof(std::uint32_t));
    check_cuda(cudaMemcpy(array_.data(), next.data(), array_.bytes(), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  void chase(Stream stream) const { launch_chase(static_cast<std::uint32_t*>(array_.data()), kSteps, stream); }

 private:
  DeviceArray array_;
};

class Copy {
 public:
  explicit Copy(std::size_t bytes) : from_(bytes), to_(bytes) {
    check_cuda(cudaMemset(from_.data(), 0, bytes), "cudaMemset");
  }
  void run(Stream stream) const { launch_copy(from_.data(), to_.data(), from_.bytes(), stream); }

 private:
  DeviceArray from_;
  DeviceArray to_;
};

std::vector<std::int64_t> busy_of(const Measurement& measured) {
  std::vector<std::int64_t> busy;
  for (const Sample& sample : measured) busy.push_back(sample.busy_ns);
  return busy;
}

core::FlushRow flush_row(const char* name, const Callable& run, Flush clean, const FlushBuffer& other) {
  core::FlushRow row{.kernel = name};
  row.after_memset_ns = time_flushed(run, Flush::memset).median_busy_ns();
  row.after_read_ns = time_flushed(run, clean).median_busy_ns();
  row.after_both_ns =
      time_flushed(run, Flush::read, [&other](Stream stream) { other.memset(stream); }).median_busy_ns();
  return row;
}

}  // namespace

std::optional<Fault> parse_fault(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Fault>, 6> kNames{{{"", Fault::none},
                                                                      {"dirty-flush", Fault::dirty_flush},
                                                                      {"hot-cache", Fault::hot_cache},
                                                                      {"stuck-counter", Fault::stuck_counter},
                                                                      {"wrong-tick", Fault::wrong_tick},
                                                                      {"second-process", Fault::second_process}}};
  const auto* const found =
      std::find_if(kNames.begin(), kNames.end(), [&](const auto& one) { return one.first == name; });
  return found == kNames.end() ? std::nullopt : std::optional<Fault>(found->second);
}

std::vector<std::int64_t> read_varied_durations(Fault fault) {
  constexpr int kLaunches = 200;
  // 49 ns apart at 1980 MHz: of any step up to a microsecond, some are multiples and some are not.
  constexpr std::int64_t kFirstCycles = 4'000;
  constexpr std::int64_t kMoreCycles = 97;
  const core::PhaseRecords records =
      trace(kLaunches, 0, [](int i) { launch_spin(kFirstCycles + i * kMoreCycles, nullptr); });
  const std::int64_t coarse_ns = fault == Fault::wrong_tick ? 100 : 1;
  std::vector<std::int64_t> durations;
  for (const core::RecordBuffer& buffer : records.buffers) {
    for (const core::Record& record : buffer) {
      if (record.kind != core::RecordKind::kernel) continue;
      durations.push_back(record.end_ns / coarse_ns * coarse_ns - record.start_ns / coarse_ns * coarse_ns);
    }
  }
  return durations;
}

core::DropCounterReading read_drop_counter(Fault fault) {
  constexpr int kLaunches = 40;
  constexpr std::size_t kTooSmall = 8;  // for any record
  const auto launch = [](int) { launch_spin(1'000, nullptr); };
  core::DropCounterReading reading{.launched = kLaunches};
  reading.after_loss = trace(kLaunches, fault == Fault::stuck_counter ? 0 : kTooSmall, launch).dropped;
  reading.without_loss = trace(kLaunches, 0, launch).dropped;
  return reading;
}

core::FlushReading read_flush(Fault fault) {
  const Ring ring;
  const Callable run = [&ring](Stream stream) { ring.chase(stream); };
  const Flush flush = fault == Fault::hot_cache ? Flush::none : Flush::read;
  return {.hot_ns = time_flushed(run, Flush::none).median_busy_ns(),
          .flushed_ns = time_flushed(run, flush).median_busy_ns()};
}

std::vector<core::FlushRow> read_flush_table(Fault fault) {
  constexpr std::int64_t kFloats = 262'144;
  const Flush clean = fault == Fault::dirty_flush ? Flush::memset : Flush::read;
  const FlushBuffer other;
  const DeviceArray small(kFloats * sizeof(float));
  check_cuda(cudaMemset(small.data(), 0, small.bytes()), "cudaMemset");
  const Copy medium(16 * kMebibyte);
  const Copy large(128 * kMebibyte);
  const auto elementwise = [&](Stream stream) {
    launch_elementwise(static_cast<float*>(small.data()), kFloats, stream);
  };
  return {flush_row("elementwise 1 MB", elementwise, clean, other),
          flush_row(
              "copy 16 MiB", [&](Stream stream) { medium.run(stream); }, clean, other),
          flush_row(
              "copy 128 MiB", [&](Stream stream) { large.run(stream); }, clean, other)};
}

core::CyclesReading read_cycles() {
  constexpr double kTrim = 0.1;
  core::CyclesReading reading{.short_cycles = 20'000, .long_cycles = 40'000};
  BenchOptions options = quick(200);
  options.flush = Flush::none;
  const auto spin = [](std::int64_t cycles) { return [cycles](Stream stream) { launch_spin(cycles, stream); }; };
  const std::vector<Measurement> both =
      compare({Candidate{.name = "short", .run = spin(reading.short_cycles), .reset = {}},
               Candidate{.name = "long", .run = spin(reading.long_cycles), .reset = {}}},
              options);
  reading.short_ns = core::trimmed_mean(busy_of(both.front()), kTrim);
  reading.long_ns = core::trimmed_mean(busy_of(both.back()), kTrim);
  for (const Measurement& measured : both) {
    for (const Sample& sample : measured) {
      if (sample.sm_mhz) reading.sm_mhz.push_back(*sample.sm_mhz);
    }
  }
  return reading;
}

core::ImmunityReading read_host_immunity() {
  const Copy copy(16 * kMebibyte);
  const Callable three = [&copy](Stream stream) {
    for (int i = 0; i < 3; ++i) copy.run(stream);
  };
  const BenchOptions options = quick(40);
  core::ImmunityReading reading;
  std::vector<double> quiet_ns;
  std::vector<double> loaded_ns;
  // In turns, because DRAM and its refresh alone move three copies by 0.5 % from one phase to the next.
  for (int turn = 0; turn < kImmunityTurns; ++turn) {
    quiet_ns.push_back(bench(three, options).median_busy_ns());
    const HostLoad load;
    const Measurement loaded = bench(three, options);
    loaded_ns.push_back(loaded.median_busy_ns());
    reading.launch = loaded.launch == Launch::queued ? "queued" : "direct";
    reading.threads = load.threads();
  }
  reading.quiet_ns = core::median(std::move(quiet_ns));
  reading.loaded_ns = core::median(std::move(loaded_ns));
  return reading;
}

}  // namespace opgate::measure
