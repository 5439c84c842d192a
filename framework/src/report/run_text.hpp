#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/report.hpp"

namespace opgate::report {

// "2 regressed, 1 not run of 60 expected cases"; names only what is there, "60 of 60 expected cases pass" without any.
[[nodiscard]] std::string headline_of(const Report& report);
// "NVIDIA H200, driver 580.159.03, CUDA 13.0": once for each machine whose numbers are in the report.
[[nodiscard]] std::vector<std::string> machines_of(const Report& report);
[[nodiscard]] std::string time_text(std::int64_t unix_ms);  // "2026-01-31 12:00 UTC"

}  // namespace opgate::report
