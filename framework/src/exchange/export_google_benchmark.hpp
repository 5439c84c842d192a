#pragma once

#include <string>
#include <vector>

#include "store/history.hpp"

namespace opgate::exchange {

// A run as JSON of Google Benchmark: one entry for each result, real_time its median device busy time in ns. What a GPU
// does has no processor time, but tools insist on cpu_time: it repeats real_time.
[[nodiscard]] std::string google_benchmark_of(const store::RunInfo& run, const std::vector<store::CaseResult>& results);

}  // namespace opgate::exchange
