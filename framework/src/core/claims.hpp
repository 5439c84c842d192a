#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/attribution.hpp"
#include "core/intervals.hpp"
#include "core/label_map.hpp"
#include "core/records.hpp"

namespace opgate::core {

inline constexpr std::uint32_t kNoKernel = 0xffff'ffffU;  // Work::kernel of a copy or memset

// A piece of work that belongs to an iteration.
struct Work {
  std::uint32_t iteration = 0;
  std::uint32_t device = 0;
  std::uint32_t kernel = kNoKernel;
  Interval interval;
};

// A clock probe beside an iteration.
struct Probe {
  std::uint32_t iteration = 0;
  std::uint32_t device = 0;
  bool closing = false;
  Interval interval;
};

// A record that must not be there, and why.
struct Stray {
  const Record* record = nullptr;
  Label label;
};

// Second pass: every kernel and copy goes to its iteration or to what forbids a number.
struct Claims {
  std::vector<Work> work;
  std::vector<Probe> probes;
  std::vector<Stray> orphans;               // kernels, and copies, that no iteration claims
  std::vector<const Record*> copies;        // labelled with an iteration, but not allowed
  std::vector<std::uint32_t> copied_in;     // the iteration of each of `copies`
  std::vector<const Record*> without_time;  // start = 0 or end < start
  const Record* first_work = nullptr;       // its thread is the thread of the call
};

[[nodiscard]] Claims claim(const PhaseRecords& records, const PhaseLabels& labels, const LabelMap& map);

// What forbids a number, worst first; empty when the claims are sound.
[[nodiscard]] std::vector<Issue> find_issues(const Claims& claims, const PhaseRecords& records,
                                             const PhaseLabels& labels);
// Work that no iteration claims: which, from which thread, and why not.
[[nodiscard]] Issue off_thread_issue(const Claims& claims, const PhaseRecords& records, const PhaseLabels& labels);
// Calls of the phase's iterations that launched a kernel whose record is not there: it still ran when the records were
// taken, in a context that nobody drained, or it was lost without being counted.
[[nodiscard]] std::optional<Issue> find_unfinished_launches(const PhaseRecords& records, const LabelMap& map);
// A graph's launch is one call for all of its kernels, so the call does not tell how many records it owes: an iteration
// that made the calls of nearly all others and has less work than they lost some. After fill_samples.
[[nodiscard]] std::optional<Issue> find_missing_work(const PhaseRecords& records, const LabelMap& map,
                                                     const Reading& reading);
// The issue that makes every other question moot.
[[nodiscard]] std::optional<Issue> find_lost_records(const PhaseRecords& records);

// Tracing that stopped inside the phase: a probe that ran and left no record.
[[nodiscard]] std::optional<Issue> find_disturbance(const Claims& claims, const PhaseRecords& records, int iterations);
// The frame of each iteration; nothing when the phase was not probed.
[[nodiscard]] std::vector<CallFrame> frames_of(const Claims& claims, int iterations);

// Sorts the work of sound claims into samples.
void fill_samples(const Claims& claims, const PhaseRecords& records, int iterations, Reading& reading);

}  // namespace opgate::core
