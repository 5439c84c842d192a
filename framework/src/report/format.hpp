#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace opgate::report {

// Figures as people read them: four digits and a unit that keeps the number between 1 and 1000.
[[nodiscard]] std::string duration_text(double ns);        // "1.696 us"
[[nodiscard]] std::string change_text(double percent);     // "+10.3 %", "-0.42 %"
[[nodiscard]] std::string percent_text(double percent);    // "1.0 %"
[[nodiscard]] std::string four_digits(double value);       // "724.4"
[[nodiscard]] std::string bytes_text(std::int64_t bytes);  // "48 KiB"
[[nodiscard]] std::string number_text(double value);       // shortest text that reads back exactly
[[nodiscard]] std::string count_text(std::size_t count, std::string_view singular);  // "1 kernel", "2 kernels"

inline constexpr std::size_t kWidth = 100;

// "  label       text" on one line, to be broken by fitted().
[[nodiscard]] std::string open_row(std::string_view label, std::string_view text);
// What a run is called in a line of text. Of ctest's command, which may select a hundred cases by name, the beginning.
[[nodiscard]] std::string run_label(const std::string& label);
// Rows broken at blanks so that no line passes `width`, further lines indented as far as the text.
[[nodiscard]] std::string fitted(std::string_view rows, std::size_t width);
// "  label       text", text broken at blanks so that no line passes kWidth; further lines are indented as far. A word
// that is longer than a line stays whole.
[[nodiscard]] std::string row(std::string_view label, std::string_view text);
// The same on one line however long: a command that is to be copied.
[[nodiscard]] std::string command_row(std::string_view label, std::string_view command);

enum class Colour : std::uint8_t { none, green, yellow, red };
[[nodiscard]] std::string coloured(std::string_view text, Colour colour);

[[nodiscard]] std::string comma_list(const std::vector<std::string>& parts);  // "a, b"

}  // namespace opgate::report
