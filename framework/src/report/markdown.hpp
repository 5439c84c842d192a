#pragma once

#include <cstddef>
#include <string>

#include "report/report.hpp"

namespace opgate::report {

// What GitHub takes: a job summary of a mebibyte, a comment of 65,536 characters.
inline constexpr std::size_t kSummaryBytes = std::size_t{1024} * 1024;
inline constexpr std::size_t kCommentBytes = std::size_t{64} * 1024;

// Counts first, then the rows that want attention, then a folded table of all cases; never more than `limit` bytes.
// Rows that do not fit are left out from the end, and counted.
[[nodiscard]] std::string markdown(const Report& report, std::size_t limit = kSummaryBytes);

}  // namespace opgate::report
