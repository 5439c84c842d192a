#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "store/run_info.hpp"

namespace opgate::report {

// What a run selected, held against what it recorded.
struct Completeness {
  std::vector<std::string> missing;                   // by name: selected, recorded nothing
  std::vector<std::pair<std::string, int>> repeated;  // recorded more than once
  std::size_t unselected = 0;                         // recorded without having been selected
};

[[nodiscard]] Completeness completeness_of(const store::RunInfo& run, const std::vector<store::CaseResult>& results);

}  // namespace opgate::report
