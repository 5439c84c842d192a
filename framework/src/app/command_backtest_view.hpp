#pragma once

#include <string>
#include <vector>

#include "app/command_session.hpp"
#include "core/backtest.hpp"

namespace opgate::app {

struct CaseBacktest {
  std::string name;
  std::size_t runs = 0;                     // comparable readings that the history holds
  std::size_t changes = 0;                  // of the level, which no run is judged across
  std::vector<core::BacktestScore> scores;  // by tolerance; empty when nothing was judged

  [[nodiscard]] std::size_t judged() const {
    return scores.empty() ? 0 : static_cast<std::size_t>(scores.front().judged);
  }
};

[[nodiscard]] std::string backtest_text(const std::vector<CaseBacktest>& cases, const core::BacktestOptions& options);
// One object for each case and tolerance, then one for each tolerance over all cases, whose case is null.
[[nodiscard]] std::vector<Json> backtest_json(const std::vector<CaseBacktest>& cases,
                                              const core::BacktestOptions& options);

}  // namespace opgate::app
