#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace opgate::exchange {

// A decimal number times 10^power, rounded once: "1.85924" ms is exactly 1859240 ns. Absent for anything that is no
// finite decimal number, blanks and a leading plus included.
[[nodiscard]] std::optional<double> scaled(std::string_view text, int power);
[[nodiscard]] std::optional<double> scaled(double value, int power);
[[nodiscard]] std::optional<std::int64_t> integer(std::string_view text);

// A duration in ns that opgate can hold: finite, and below 2^63.
[[nodiscard]] bool is_duration(double ns) noexcept;

// "ns", "us", "ms" or "s" as a power of ten over ns.
[[nodiscard]] std::optional<int> power_of_unit(std::string_view unit);

// ISO 8601, as JUnit and Google Benchmark write it: 2026-08-22T18:31:16.119+02:00, the fraction and the zone (then UTC)
// may be missing, a blank may stand for the T. Milliseconds since 1970.
[[nodiscard]] std::optional<std::int64_t> unix_ms_of(std::string_view text);

}  // namespace opgate::exchange
