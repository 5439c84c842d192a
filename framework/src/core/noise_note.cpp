#include "core/noise_note.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "core/bounds.hpp"
#include "core/statistics.hpp"

namespace opgate::core {
namespace {

constexpr std::size_t kFewest = 30;  // samples whose quartiles say how they spread
constexpr int kFourfold = 4;         // halves a spread
// Of a normal distribution: its quartiles lie 1.349 standard deviations apart.
constexpr double kQuartilesToSigma = 1 / 1.349;
// Samples explain so much of the runs' noise that more of them help.
constexpr double kMostOfIt = 0.7;
constexpr double kMuchWider = 1.5;

// Of the median of these samples, were they drawn anew from their own distribution; relative.
double spread_of_median(const std::vector<std::int64_t>& busy) {
  const double sigma = (*quantile(busy, 0.75) - *quantile(busy, 0.25)) * kQuartilesToSigma;
  const double of_mean = sigma / std::sqrt(static_cast<double>(busy.size()));
  return std::sqrt(std::numbers::pi / 2) * of_mean / median(busy);
}

int processes_of(const CaseRun& run) {
  const std::string& text = run.conditions.processes;
  int processes = 0;
  std::from_chars(text.data(), text.data() + text.size(), processes);
  return processes;  // 0: unknown
}

}  // namespace

std::string noise_note(const Finding& finding, const CaseRun& run, const Terms& terms) {
  const int processes = processes_of(run);
  if (!finding.decided.limit.from_noise || !finding.subject.empty() || run.samples.size() < kFewest || processes < 1) {
    return {};
  }
  std::vector<std::int64_t> busy;
  busy.reserve(run.samples.size());
  for (const Sample& sample : run.samples) busy.push_back(sample.busy_ns);
  const double tolerance = terms.options.tolerance + (terms.other_unit ? terms.options.other_unit_extra : 0);
  const double without = std::max(tolerance, terms.options.ticks * terms.tick_ns / median(busy));
  if (finding.decided.limit.relative < kMuchWider * without) {
    return {};
  }
  const double noise = finding.decided.baseline.relative_noise();
  const std::string so_much = fmt::format("the accepted runs differ by {:.2f} %, which widens the limit", noise * 100);
  const int each = static_cast<int>(run.samples.size()) / processes;
  if (spread_of_median(busy) >= kMostOfIt * noise) {
    return each * kFourfold > kMostIterations
               ? std::string()
               : fmt::format("{}: as medians of {} samples do; \"iterations\": {} in the spec halves it", so_much,
                             run.samples.size(), each * kFourfold);
  }
  return processes * kFourfold > kMostProcesses
             ? std::string()
             : fmt::format(
                   "{}: more from process to process than its samples tell; \"processes\": {} in the spec "
                   "halves it",
                   so_much, processes * kFourfold);
}

}  // namespace opgate::core
