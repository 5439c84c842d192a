#pragma once

#include <cstdint>
#include <string>

#include "core/attribution.hpp"
#include "core/figures.hpp"

namespace opgate::benchmarks {

// How a phase of so many records comes about.
enum class Shape : std::uint8_t {
  one_kernel,    // a call is one kernel: many iterations
  many_kernels,  // 200 calls of many kernels on two streams, every other one overlapping the next
  shuffled,      // many_kernels, every record in another place: what CUPTI never does
};

inline constexpr std::uint32_t kKind = 5;
inline constexpr std::uint32_t kNonce = 7;

struct Phase {
  core::PhaseRecords records;
  core::PhaseLabels labels;
};

// `count` activity records as CUPTI delivers them: per launch one kernel, one api call and one external id, in buffers
// of 8,192. The same for the same arguments.
[[nodiscard]] Phase make_phase(std::size_t count, Shape shape);

// The step that is timed: attribution, union per call, statistics.
struct Outcome {
  core::Reading reading;
  core::SampleFigures figures;
};
[[nodiscard]] Outcome read(const Phase& phase);

// Figures in one line, by which another version of the step shows that it did the same.
[[nodiscard]] std::string digest(const Outcome& outcome);

}  // namespace opgate::benchmarks
