#include "noise_pool.hpp"

#include <cmath>
#include <numeric>

#include "app/command_history_view.hpp"

namespace opgate::rates {

namespace {

constexpr std::size_t kLeastReadings = 20;

}  // namespace

double NoisePool::on_grid(double value) const {
  return std::round(value / tick_ns * 2) * tick_ns / 2;
}

std::vector<NoisePool> noise_pools(const store::History& history, const std::string& case_name) {
  std::vector<NoisePool> pools;
  const app::CaseHistory seen = app::case_history(case_name, history.series(case_name));
  for (const core::Series& series : seen.series) {
    NoisePool pool;
    pool.name = series.newest.group.empty() ? case_name : case_name + " (" + series.newest.group + ")";
    if (series.newest.tick_ns > 0) pool.tick_ns = series.newest.tick_ns;
    std::size_t begin = 0;
    for (std::size_t k = 0; k <= series.changes.size(); ++k) {
      const std::size_t end = k < series.changes.size() ? series.changes[k].index : series.values_ns.size();
      const std::vector<double> level(series.values_ns.begin() + static_cast<std::ptrdiff_t>(begin),
                                      series.values_ns.begin() + static_cast<std::ptrdiff_t>(end));
      begin = end;
      if (level.size() < kLeastReadings) continue;
      const double mean = std::accumulate(level.begin(), level.end(), 0.0) / static_cast<double>(level.size());
      pool.level_ns = mean;
      auto& stretch = pool.stretches.emplace_back();
      for (const double value : level) stretch.push_back(value / mean);
    }
    if (!pool.stretches.empty()) pools.push_back(std::move(pool));
  }
  return pools;
}

}  // namespace opgate::rates
