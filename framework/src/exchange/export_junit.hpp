#pragma once

#include <string>
#include <vector>

#include "store/history.hpp"

namespace opgate::exchange {

// A run as JUnit XML: one test suite, a test case for each result, its figures as properties under the names that
// parse_junit reads. Regressions, wrong results and what a gate does not let pass are failures; what gave no number to
// trust is an error.
[[nodiscard]] std::string junit_of(const store::RunInfo& run, const std::vector<store::CaseResult>& results);

}  // namespace opgate::exchange
