#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "store/history.hpp"

namespace opgate::rates {

// The scatter of one case from run to run, as it was recorded: levels of comparable readings, each over its own mean.
struct NoisePool {
  std::string name;
  double level_ns = 0;
  double tick_ns = 32;
  std::vector<std::vector<double>> stretches;  // relative to 1

  // `length` values: pieces of kPiece consecutive readings, so that what one run has of the run before it is kept,
  // times level(i), back on the timer's grid (a median of an even count falls on half ticks).
  template <class Level>
  [[nodiscard]] std::vector<double> draw(std::size_t length, std::mt19937_64& dice, Level level) const {
    std::vector<double> values;
    while (values.size() < length) {
      const std::vector<double>& from = stretches[dice() % stretches.size()];
      const std::size_t start = dice() % (from.size() - kPiece + 1);
      for (std::size_t i = 0; i < kPiece && values.size() < length; ++i) {
        values.push_back(on_grid(level_ns * from[start + i] * level(values.size())));
      }
    }
    return values;
  }

  static constexpr std::size_t kPiece = 5;

 private:
  [[nodiscard]] double on_grid(double value) const;
};

// Of every series with a level of at least 20 readings.
[[nodiscard]] std::vector<NoisePool> noise_pools(const store::History& history, const std::string& case_name);

}  // namespace opgate::rates
