#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opgate::app {

// "-" stands for no data everywhere.
[[nodiscard]] std::string milliseconds(std::optional<double> ns);                // "0.001696 ms"
[[nodiscard]] std::string percent(std::optional<double> value);                  // "1.25 %"
[[nodiscard]] std::string change(std::optional<double> value);                   // "+1.25 %"
[[nodiscard]] std::string utc(std::int64_t unix_ms);                             // "2026-01-31T12:00:00Z"
[[nodiscard]] std::string plural(std::size_t count, std::string_view singular);  // "1 case", "2 cases"
[[nodiscard]] std::string joined(const std::vector<std::string>& words, std::string_view separator = ", ");

// Columns padded to their widest cell, two blanks between; no blanks at the end.
[[nodiscard]] std::string table(const std::vector<std::vector<std::string>>& rows);

}  // namespace opgate::app
