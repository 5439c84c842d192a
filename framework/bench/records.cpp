#include "records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <stdexcept>

namespace opgate::benchmarks {
namespace {

using core::Record;
using core::RecordKind;

constexpr std::size_t kPerLaunch = 3;
constexpr std::size_t kBuffer = 8'192;
constexpr std::size_t kCalls = 200;
constexpr std::int64_t kTickNs = 32;

void add_launch(std::vector<Record>& all, std::uint32_t launch, std::uint32_t call, bool overlaps, std::mt19937& dice) {
  const std::uint32_t correlation = launch + 1;
  const std::int64_t start = 1'000'000 + std::int64_t{launch} * 100 * kTickNs;
  const std::int64_t length = kTickNs * static_cast<std::int64_t>(overlaps ? 110 + dice() % 8 : 53 + dice() % 8);
  all.push_back({.kind = RecordKind::external,
                 .correlation_id = correlation,
                 .external_kind = kKind,
                 .external_id = core::external_id(kNonce, call)});
  all.push_back({.kind = RecordKind::api,
                 .start_ns = start - 5'000,
                 .end_ns = start - 3'000,
                 .correlation_id = correlation,
                 .thread_id = 41});
  all.push_back({.kind = RecordKind::kernel,
                 .start_ns = start,
                 .end_ns = start + length,
                 .correlation_id = correlation,
                 .stream_id = 7 + launch % 2,
                 .name = launch % 2});
}

}  // namespace

Phase make_phase(std::size_t count, Shape shape) {
  const std::size_t launches = count / kPerLaunch;
  const std::size_t calls = shape == Shape::one_kernel ? launches : std::min(launches, kCalls);
  std::mt19937 dice(1);
  std::vector<Record> all;
  all.reserve(count);
  for (std::size_t launch = 0; launch < launches; ++launch) {
    const bool overlaps = shape != Shape::one_kernel && launch % 2 == 0;
    add_launch(all, static_cast<std::uint32_t>(launch), static_cast<std::uint32_t>(launch * calls / launches), overlaps,
               dice);
  }
  while (all.size() < count) {  // a call of the op itself that launched nothing
    all.push_back({.kind = RecordKind::api, .thread_id = 41});
  }
  if (shape == Shape::shuffled) {
    std::shuffle(all.begin(), all.end(), dice);
  }
  Phase phase;
  phase.labels = {.external_kind = kKind, .nonce = kNonce, .iterations = static_cast<int>(calls)};
  phase.records.kernels = {{.name = "_Z3addPKfPf"}, {.name = "_Z3sumPKfPf"}};
  phase.records.names = {"cudaLaunchKernel"};
  phase.records.dropped = 0;
  for (std::size_t from = 0; from < all.size(); from += kBuffer) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(from);
    const auto last = all.begin() + static_cast<std::ptrdiff_t>(std::min(from + kBuffer, all.size()));
    phase.records.buffers.emplace_back(first, last);
  }
  return phase;
}

Outcome read(const Phase& phase) {
  Outcome outcome;
  outcome.reading = core::read_phase(phase.records, phase.labels);
  if (!outcome.reading.issues.empty()) {
    throw std::runtime_error(outcome.reading.issues.front().text);
  }
  Measurement measurement;
  measurement.samples = std::move(outcome.reading.samples);
  outcome.figures = core::sample_figures(measurement);
  outcome.reading.samples = std::move(measurement.samples);
  return outcome;
}

std::string digest(const Outcome& outcome) {
  std::int64_t busy = 0;
  std::int64_t span = 0;
  for (const Sample& sample : outcome.reading.samples) {
    busy += sample.busy_ns;
    span += sample.latency_ns;
  }
  const core::SampleFigures& f = outcome.figures;
  return fmt::format("{} samples, busy {} span {} median {:.1f} p10 {:.0f} p90 {:.0f} trimmed {:.3f} kernels {}",
                     f.samples, busy, span, f.busy_ns.value_or(0), f.p10_ns.value_or(0), f.p90_ns.value_or(0),
                     f.trimmed_mean_ns.value_or(0), f.n_kernels.value_or(0));
}

}  // namespace opgate::benchmarks
