#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/records.hpp"
#include "opgate/bench.hpp"
#include "opgate/error.hpp"

namespace opgate::core {

// External ids carry the phase's nonce in the upper half, so that a late record of an earlier phase, or an id of the
// op itself, never maps to an iteration of this one; the lower half is the iteration, or kPreparation, or names the
// iteration that a clock probe opens or closes.
inline constexpr std::uint32_t kPreparation = 0xffff'ffffU;
inline constexpr std::uint32_t kOpeningProbe = 0x4000'0000U;
inline constexpr std::uint32_t kClosingProbe = 0x8000'0000U;
inline constexpr std::uint32_t kIterationMask = 0x3fff'ffffU;
[[nodiscard]] constexpr std::uint64_t external_id(std::uint32_t nonce, std::uint32_t iteration) {
  return (static_cast<std::uint64_t>(nonce) << 32U) | iteration;
}

// How the labels of a phase are recognised.
struct PhaseLabels {
  std::uint32_t external_kind = 0;  // CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2
  std::uint32_t nonce = 0;
  int iterations = 0;           // R: iterations 0 .. R-1 were pushed
  bool copies_allowed = false;  // "copies": "count": copies and memsets belong to the busy time
};

// A reading that must not become a number. Ordered by what is reported first when several apply.
struct Issue {
  ErrorKind kind = ErrorKind::attribution;
  std::string text;    // names kernel, thread, iteration, count and the likely cause
  bool retry = false;  // only lost records are measured again
  std::string remedy;  // one imperative sentence
};

// Iterations that launched the same kernels (names and count), whatever their grids. Numbered by first appearance.
struct KernelGroup {
  std::vector<std::uint32_t>
      kernels;  // sorted indices into PhaseRecords::kernels, one per launch of the first iteration
  int samples = 0;
  int copies = 0;  // copies and memsets per iteration, where they are allowed
};

// One iteration between its probes, which run in the legacy default stream: after everything before the call, and
// after everything in blocking streams. Times of the device that runs the probes.
struct CallFrame {
  std::int64_t opening_end_ns = 0;
  std::int64_t closing_start_ns = 0;
  std::int64_t first_start_ns = 0;  // of the call's work
  std::int64_t last_end_ns = 0;
  std::uint32_t first_kernel = 0;  // indices into PhaseRecords::kernels, or kNoKernel
  std::uint32_t last_kernel = 0;
  int launches = 0;

  [[nodiscard]] std::int64_t tail_ns() const noexcept { return closing_start_ns - last_end_ns; }
};

// Samples only when `issues` is empty, one per iteration in order. Pure: two passes over the records after the flush,
// because external records may come after their kernel; attribution never looks at timestamps.
struct Reading {
  std::vector<Sample> samples;
  std::vector<Issue> issues;
  std::vector<KernelGroup> groups;     // Sample::group indexes this
  std::vector<std::uint32_t> kernels;  // every kernel of the call, sorted distinct indices into PhaseRecords::kernels
  std::vector<CallFrame> frames;       // one per iteration when the phase was probed, else empty
  std::int32_t device = 0;             // the device whose median union is the largest; all samples are its own
  int devices = 0;                     // how many devices ran work of the call
};

// Dropped or uncounted records are the only issue then, because nothing else can be said of such a phase. An iteration
// in which Reading::device ran nothing reads the device that worked longest in it, never 0.
[[nodiscard]] Reading read_phase(const PhaseRecords& records, const PhaseLabels& labels);

}  // namespace opgate::core
