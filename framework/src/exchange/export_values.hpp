#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/figures.hpp"
#include "store/history.hpp"

namespace opgate::exchange {

// Shortest text that reads back as the same double.
[[nodiscard]] std::string exact(double value);
// A number of ns in ms, by moving the decimal point: nothing is rounded.
[[nodiscard]] std::string exact_ms(double ns);
// "2026-01-31T12:00:00.250+00:00"
[[nodiscard]] std::string iso_8601(std::int64_t unix_ms);
// Without control characters, which neither XML nor a reader takes; bytes that are no UTF-8 become '?'.
[[nodiscard]] std::string printable(std::string_view text);
// What is said of a result that is not fine: its verdict's reason, or its last attempt's message.
[[nodiscard]] std::string reason_of(const store::CaseResult& result);
// The first measured attempt; nullptr when there is none.
[[nodiscard]] const core::Attempt* measured_attempt(const store::CaseResult& result);

}  // namespace opgate::exchange
