#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "opgate/error.hpp"
#include "opgate/op.hpp"

namespace opgate {

/// The method as a whole: README, "How a reading is taken".
enum class Protocol : std::uint8_t { opgate_1, method_1 };
enum class Timing : std::uint8_t { cupti, cuda_events };  ///< events only on request, tagged, never compared with CUPTI
/// What clears L2 before each iteration.
enum class Flush : std::uint8_t { read, memset, none };
/// Whether the device is held until the host has issued the whole call.
enum class Launch : std::uint8_t { direct, queued };

/// One iteration. Times are device time in integer nanoseconds.
struct Sample {
  std::int64_t busy_ns = 0;               ///< union of the execution intervals of the call's kernels
  std::int64_t latency_ns = 0;            ///< last end - first start
  std::int64_t gap_ns = 0;                ///< latency - busy
  std::optional<std::int32_t> n_kernels;  ///< absent under cuda_events
  std::optional<std::int32_t> sm_mhz;     ///< SM clock around the call, where it was probed
  std::uint32_t group = 0;                ///< iterations that launched the same kernels share a group
  /// Sum of those intervals: more than busy_ns where kernels ran at the same time. Absent where single kernels are
  /// unknown.
  std::optional<std::int64_t> work_ns = std::nullopt;

  /// Equal in every field.
  bool operator==(const Sample&) const = default;
};

/// How to measure; what is absent follows from the protocol.
struct BenchOptions {
  Protocol protocol = Protocol::opgate_1;      ///< the method as a whole; rows of different ones never compare
  Timing timing = Timing::cupti;               ///< what takes the time
  std::optional<Flush> flush;                  ///< default: read for opgate_1, memset for method_1
  std::optional<Launch> launch;                ///< default: queued for opgate_1 where the call can be held, else direct
  std::optional<int> iterations;               ///< instead of the calibrated count
  std::int64_t warmup_budget_ns = 25'000'000;  ///< device time to spend before the first sample
  std::int64_t measure_budget_ns = 100'000'000;  ///< device time to spend on samples
  int min_iterations = 10;                       ///< samples at least
  int max_iterations = 200;                      ///< samples at most
  std::optional<double> pacing;        ///< idle after each iteration, in durations of the call; default 1 for opgate_1
  std::optional<bool> probe_clock;     ///< default: true for opgate_1
  bool count_copies = false;           ///< copies and memsets inside the call belong to its busy time
  std::size_t buffer_bytes = 262'144;  ///< CUPTI buffer size of the first attempt, 256 KiB; x4, x16 in the next two
};

/// What bench() returns: a range of samples, and how they were taken.
struct Measurement {
  std::string name;                        ///< of the candidate; empty for bench()
  std::vector<Sample> samples;             ///< one per iteration, in order
  Protocol protocol = Protocol::opgate_1;  ///< as asked for
  Timing timing = Timing::cupti;           ///< as asked for
  Flush flush = Flush::read;               ///< what cleared L2
  Launch launch = Launch::direct;          ///< whether the device was held while the call was issued
  std::string
      launch_reason;  ///< why the call was not queued although the protocol would; "" when it was, or was not asked
  double pacing = 0;  ///< idle after each iteration, in durations of the call, as asked for
  int warmup_iterations = 0;            ///< calls before the first sample
  int retries = 0;                      ///< attempts thrown away because records were lost
  std::vector<double> pass_medians_ns;  ///< one per pass: one for bench, two for compare
  std::int32_t device = 0;              ///< whose union is reported when a call uses several

  /// The samples as a range.
  [[nodiscard]] auto begin() const noexcept { return samples.begin(); }
  /// The samples as a range.
  [[nodiscard]] auto end() const noexcept { return samples.end(); }
  /// How many samples there are.
  [[nodiscard]] std::size_t size() const noexcept { return samples.size(); }
  [[nodiscard]] double median_busy_ns() const;  ///< Error(attribution) when there is no sample

  /// Equal in every field.
  bool operator==(const Measurement&) const = default;
};

/// Launches one call into the stream.
using Callable = std::function<void(Stream)>;

/// One of those that compare() measures beside each other.
struct Candidate {
  std::string name;  ///< what the measurement is called
  Callable run;      ///< the call
  Callable reset;    ///< optional; before every run, in no reading
};

/// Times one callable by the method: Sample per iteration. Throws Error(records_lost, off_thread_launch,
/// attribution, ...) instead of returning a number that cannot be trusted; an exception of the callable passes
/// through unchanged. The first call in a process turns tracing on (start_tracing does it earlier).
[[nodiscard]] Measurement bench(const Callable& run, const BenchOptions& options = {});
/// A B C C B A with half the budgets and bounds per pass; samples of both passes pooled.
[[nodiscard]] std::vector<Measurement> compare(const std::vector<Candidate>& candidates,
                                               const BenchOptions& options = {});
/// Turns CUPTI on. Call it before instantiating a CUDA graph that is to be measured.
void start_tracing();

}  // namespace opgate
