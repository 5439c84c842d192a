#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include <nlohmann/json.hpp>

#include "report/case_history.hpp"
#include "report/page_pack.hpp"

namespace opgate::report {

// Every run that some case's trend names, told once.
class PageRuns {
 public:
  [[nodiscard]] std::size_t index(const store::SeriesRow& row);
  [[nodiscard]] nlohmann::ordered_json json() const { return all_; }

 private:
  std::map<std::int64_t, std::size_t> indices_;
  nlohmann::ordered_json all_ = nlohmann::ordered_json::array();
};

// A case's results, oldest first: columns run, outcome, source, series, median, p10, p90, sm_mhz, baseline, threshold,
// metric; a mixed call gives one for each kernel group, a result without a number one without a series.
[[nodiscard]] nlohmann::ordered_json trend_json(const CaseHistory& trend, PageRuns& runs, ColumnWriter& out);

}  // namespace opgate::report
