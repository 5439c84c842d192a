#include "exchange/format.hpp"

#include <algorithm>
#include <array>

namespace opgate::exchange {

namespace {

constexpr std::array kFormats{Format::csv, Format::google_benchmark, Format::nvbench, Format::junit, Format::history};
constexpr std::size_t kHead = 1U << 20U;  // where the keys that tell JSON files apart stand
using namespace std::string_view_literals;

bool has_line_of_columns(std::string_view content) {
  const std::string_view line = content.substr(0, content.find('\n'));
  return line.find("busy_ns") != std::string_view::npos && line.find(',') != std::string_view::npos;
}

}  // namespace

const char* to_string(Format format) {
  switch (format) {
    case Format::csv:
      return "csv";
    case Format::google_benchmark:
      return "google-benchmark";
    case Format::nvbench:
      return "nvbench";
    case Format::junit:
      return "junit";
    case Format::history:
      return "history";
  }
  return "unknown";
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  names.reserve(kFormats.size());
  for (const Format format : kFormats) names.emplace_back(to_string(format));
  return names;
}

std::optional<Format> parse_format(const std::string& name) {
  for (const Format format : kFormats) {
    if (name == to_string(format)) return format;
  }
  return std::nullopt;
}

std::optional<Format> recognise(std::string_view content) {
  if (content.starts_with("SQLite format 3\0"sv)) return Format::history;
  std::string_view text = content;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  if (text.starts_with('<')) return Format::junit;
  if (text.starts_with('{')) {
    const std::string_view head = text.substr(0, kHead);
    const auto has = [&](std::string_view key) { return head.find(key) != std::string_view::npos; };
    if (has("\"context\"") && has("\"benchmarks\"")) return Format::google_benchmark;
    if (has("\"devices\"") && has("\"benchmarks\"")) return Format::nvbench;
    return std::nullopt;
  }
  return has_line_of_columns(text) ? std::optional(Format::csv) : std::nullopt;
}

}  // namespace opgate::exchange
