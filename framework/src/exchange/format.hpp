#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opgate::exchange {

enum class Format : unsigned char { csv, google_benchmark, nvbench, junit, history };

[[nodiscard]] const char* to_string(Format format);  // as --format takes it
[[nodiscard]] std::vector<std::string> format_names();
[[nodiscard]] std::optional<Format> parse_format(const std::string& name);

// By what the (uncompressed) content is, never by the file's name; absent for anything else.
[[nodiscard]] std::optional<Format> recognise(std::string_view content);

}  // namespace opgate::exchange
